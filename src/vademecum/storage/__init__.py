"""How the library is kept."""
