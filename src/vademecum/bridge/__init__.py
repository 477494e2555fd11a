"""How does a client that starts a program reach the server?"""
