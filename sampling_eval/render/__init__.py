"""What results say, and the forms in which it is printed.

A module for each kind of result has the functions that `results.base.Result` calls: `title`,
`document` (a list of blocks, the same for every form), `methods`, and where they differ or exist
`page` and `plot`. The kinds are `score`, `compare`, `ranking`, `gate`, `table`, `plan`,
`extrapolate`, `audit`, `explain`, `shortlist` and `describe`.

`blocks` says what blocks there are. `text`, `markdown`, `latex` and `html` print any list of them,
`svg` draws those of a page, `plot` figures on paper, `junit` the cases of a gate; `output` writes
files. Numbers become text in `format` only. What several results say stands in `advice` (the next
step, cautions), `metrics` (names, tables, weights), `questions` (and
`question_texts`), `reading` (what was read) and `sources` (the literature).
"""
