"""Does a comparison tell a better bot from a lucky one?"""
