"The box that finds names, or pictures, on a page that lists them."
from pathlib import Path


def write_filter(
    hint: str = "part of a name or meaning",  # What may be typed
) -> str:
    """A box that hides what does not hold its text.

    It is shown by its script, without which it is useless."""
    script = Path(__file__).with_name("filter.js").read_text("utf-8")
    return f"""\
```{{=html}}
<label class="filter" hidden>Show only
<input type="search" placeholder="{hint}"></label>
<script>
{script}</script>
```"""
