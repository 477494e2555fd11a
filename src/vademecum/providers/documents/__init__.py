"""How are sheets, PDFs and pictures read and made?"""
