// Browsers start no worker from a file:// page.  Here its script runs in a frame that is not shown, so that the search
// works without a server.  What the search of the theme needs is there and no more: messages to and fro.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.appendChild(this.frame)
      const inside = this.frame.contentWindow
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      this.loaded = new Promise(done => {
        const script = inside.document.createElement("script")
        script.src = url
        script.onload = done
        inside.document.body.appendChild(script)
      })
    }

    postMessage(data) {
      this.loaded.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })))
    }

    terminate() { this.frame.remove() }
  }
}
