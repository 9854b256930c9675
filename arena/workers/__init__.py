"""Workers: processes that play blocks of matches and send back results."""
