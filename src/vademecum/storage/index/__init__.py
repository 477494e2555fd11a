"""What the two indexes share: planning, scoring, rows and vectors."""
