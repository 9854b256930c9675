"""Who plays whom, and in which seat: pure plans, without engine, store or clock."""
