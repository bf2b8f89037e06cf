"""Lists that a notebook holds as Markdown, for JupyterLab and GitHub.

The site shows them its own way."""
import re

END = "<!-- end of the list -->"
KEPT = re.compile(rf"(<!-- (?:functions|gallery)\b[^>]*-->)(?:(?!<!--).)*{END}", re.S)


def keep_list(text: str, mark: str, listed: str) -> str:
    "A text with a list behind its mark, in the place of the one that stood there."
    return drop_lists(text).replace(mark, f"{mark}\n\n{listed}\n\n{END}")


def drop_lists(text: str) -> str:
    "A text whose lists are left out; their marks stay."
    return KEPT.sub(r"\1", text)
