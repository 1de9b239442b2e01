"""Studies that measure what the program claims, beside its peers; see README.md in this folder."""
