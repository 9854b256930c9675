"""What does `python -m arena` do? The same as `arena`."""

from arena.cli import main

main(prog_name="arena")
