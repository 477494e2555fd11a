"""Which tools the library set offers."""
