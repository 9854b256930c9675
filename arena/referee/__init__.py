"""Play matches: tables, clocks, mailboxes and the players behind them."""
