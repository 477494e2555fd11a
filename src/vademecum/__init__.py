"""A self-hosted personal context library that any MCP client can search, cite, read and write."""
