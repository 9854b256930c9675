"""Run bots as processes in cages that keep them from everything else."""
