"""How does a whole league look in a browser?"""
