"""A league as a folder of pages."""
