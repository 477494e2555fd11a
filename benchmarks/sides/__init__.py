"""What is done to a library and to its folder on disk at the same time, and is anything lost by it?"""
