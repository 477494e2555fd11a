"""What a caller can do with the library."""
