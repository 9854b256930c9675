"""Compare two versions of a bot: is a change an improvement?"""
