"""`count`, `merge` and `Accumulator`: counts made once and kept."""
