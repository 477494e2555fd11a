"""How text is cut, compared and ranked."""
