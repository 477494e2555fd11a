"""What the library asks of the outside."""
