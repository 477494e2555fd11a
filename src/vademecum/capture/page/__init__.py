"""How the main text of a web page is told from everything around it."""
