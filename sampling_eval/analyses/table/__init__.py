"""`table`: its verb, its result, and its words."""
