"""Which statements both databases share."""
