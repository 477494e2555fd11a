"""What every face over HTTP shares."""
