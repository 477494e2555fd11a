"""How do the folder on disk and the library follow each other?"""
