"""How the text of one kind of source is taken out."""
