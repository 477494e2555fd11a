"""How background work runs."""
