"""One study a file: what it runs, what it asserts, its tables and plots."""
