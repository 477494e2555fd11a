"""How the library is served over the Model Context Protocol."""
