"""Generated from protos/ by scripts/generate_protos."""
