"""Many deals: where they come from, who works on them, and the file that survives it.

What is written here, compact and compressed or not, is read by `solver.results.record_reading.saved_records`.
"""
