"""How another application's export becomes items."""
