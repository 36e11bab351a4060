"""Pictures of evidence as inline SVG: small, without fonts or scripts, in the colours of the page they stand on."""
