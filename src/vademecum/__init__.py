"""A self-hosted personal context library that any MCP client can search, cite, read and write."""

__version__ = "0.1.0"
