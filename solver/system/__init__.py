"""The machine beneath: files, locks, processors, and work that can be interrupted."""
