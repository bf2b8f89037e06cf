"""What several verbs say, in words: advice, metrics, what was read, questions."""
