"""The forms in which a result is printed.

A result becomes a list of blocks in the `words` of its verb (`analyses`), which have `title`,
`document`, `methods`, and where they exist `page` and `plot`. `blocks` says what blocks there are;
`text`, `markdown`, `latex` and `html` print any list of them, `svg` draws those of a page, `plot`
figures on paper; `output` writes files. Numbers become text in `format` only, and `citations` has
the literature.
"""
