"""What the things of the library are and what their rules are."""
