"""How is what came from outside parsed in a process apart?"""
