"""What is a tool, and how are its arguments read?"""
