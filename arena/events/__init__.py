"""Events: who plays whom until when, played by workers, kept by the league."""
