// The pages of sources take the palette that the reader chose on the others, or else the system's.
{
  const base = new URL(document.currentScript.dataset.base, location)
  let chosen = null
  try { chosen = JSON.parse(localStorage.getItem(base.pathname + ".__palette")) } catch { /* none was chosen */ }
  const media = chosen && chosen.color && chosen.color.media
  const isDark = media && media.includes(":") ? media.includes("dark") : matchMedia("(prefers-color-scheme: dark)").matches
  document.body.dataset.mdColorScheme = isDark ? "slate" : "default"
}
