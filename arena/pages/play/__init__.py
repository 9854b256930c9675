"""Playing in the browser: a table for people, served to each of them at an address of their own."""
