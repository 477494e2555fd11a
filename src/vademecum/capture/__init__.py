"""How a link or a file becomes text."""
