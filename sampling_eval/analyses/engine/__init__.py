"""What several verbs do: systems, metrics chosen and measured, runs, what comes next."""
