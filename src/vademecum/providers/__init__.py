"""Which models and networks answer the ports."""
