"""How do matches look in a browser?"""
