"""What is the same for every tool set that is served over MCP."""
