"""Do the house bots play as a user's bots would?"""
