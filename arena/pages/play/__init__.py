"""Playing in the browser: a table for people, each served at their own address."""
