"""SVG pictures, notebook displays, and the page that plays Algorithm X."""
