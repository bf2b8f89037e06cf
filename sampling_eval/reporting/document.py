"""One result, told in every form."""
from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Self

from . import text
from ..report.frames import frame
from .parts import Part
from .records import flat_values, parse_values, plain_values

__all__ = ["Written"]


class Written:
    """The forms of a result that has `rows`, a `heading`, and says what it says as `parts`.

    No form has a table that another lacks. Results are equal where they say the same, that is
    where their JSON is.
    """
    needed: Sequence[str] = ()  # Names that the JSON text of such a result must hold

    @property
    def heading(self) -> str:
        "What the result is about, in a few words."
        raise NotImplementedError

    @property
    def page_title(self) -> str:
        "The title of its page."
        return f"sampling_eval: {self.heading}"

    def parts(self) -> list[Part]:
        "What the result says, in order."
        raise NotImplementedError

    def screen_parts(self) -> list[Part]:
        "What the terminal shows first."
        return self.parts()

    def page_parts(self) -> list[Part]:
        "The same in the order of a page."
        return self.parts()

    def to_text(self,
        how: bool = False,  # Whether every number is shown, and how it was computed
    ) -> str:
        "Fixed-width text for the terminal."
        return text.render(self.parts() if how else self.screen_parts())

    def to_markdown(self) -> str:
        "Paragraphs and tables for issues, notebooks and README files."
        from . import markdown  # No form is imported that is not asked for
        return markdown.render(self.parts())

    def to_latex(self) -> str:
        "Tables for the package `booktabs`, the sentences as comments."
        from . import latex
        return latex.render(self.parts())

    def to_html(self) -> str:
        "A self-contained page with figures; nothing in it is loaded from elsewhere."
        from . import html
        return html.render(self.page_parts(), self.page_title)

    def tell_methods(self) -> str:
        "The methods in sentences, with marks for their sources."
        raise NotImplementedError

    def methods(self,
        latex: bool = False,  # Whether the text is LaTeX, with `\\citep` for the sources
    ) -> str:  # One paragraph
        "What was computed and how, ready for the methods section of a paper."
        from ..report.sources import cite
        return cite(self.tell_methods(), latex)

    def citations(self) -> str:
        "The sources that `methods` names, as BibTeX."
        from ..report.sources import write_entries
        return write_entries(self.tell_methods())

    def to_dict(self) -> dict[str, Any]:
        "Everything as plain Python values."
        told: dict[str, Any] = plain_values(self)
        return told

    def to_json(self) -> str:
        "Everything but the columns of the questions, as JSON text."
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False)

    @classmethod
    def from_json(cls,
        told: str,  # What `to_json` gave
    ) -> Self:  # An equal result
        """The result of a JSON text, equal to the one that wrote it.

        Value: what JSON does not hold, such as the values of single questions, is absent; what
        needs it raises `ValueError` and says so.

        Raises: `ValueError` for text that is not the JSON of such a result.
        """
        return cls.from_values(parse_values(told, cls.__name__, cls.needed))

    @classmethod
    def from_values(cls,
        values: Mapping[str, Any],  # Plain values by name, as in its JSON text
    ) -> Self:  # An equal result
        "The result that told itself as these values."
        raise NotImplementedError

    def to_frame(self,
        backend: str | None = None,  # `pandas`, `polars` or `pyarrow`; the first installed if None
    ) -> Any:  # A frame of that library
        "The rows as a data frame."
        rows = [flat_values(row) for row in self.rows]  # type: ignore[attr-defined]
        return frame({name: [row[name] for row in rows] for name in rows[0]}, backend)

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other): return NotImplemented
        return self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str: return self.to_text()
    def _repr_markdown_(self) -> str: return self.to_markdown()
