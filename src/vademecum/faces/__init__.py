"""Which ways lead into the library."""
