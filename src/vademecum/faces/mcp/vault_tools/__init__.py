"""Which tools the vault set offers."""
