"""Which steps bring a database to the newest schema."""
