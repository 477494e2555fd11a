"""How is a chart drawn?"""
