"""Is a change to a bot an improvement?"""
