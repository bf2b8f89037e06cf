"""Copies of the texts that DuckDB cannot read as they stand."""
from __future__ import annotations

import os
import weakref
from collections.abc import Sequence

from .cells import quote_text
from .databases import is_table
from .files import is_remote, kind_of
from .streams import BROKEN, check_whole, find_encoding, open_file, tell_broken

__all__ = ["Copies", "copy_files"]


class Copies(dict[str, str]):
    "Paths of copies by the file they stand for; they go when nobody holds this any more."

    def find(self, files: Sequence[str]) -> list[str]:
        "The paths to read: of a file that has one, the copy."
        return [self.get(file, file) for file in files]

    def name(self,
        column: str,  # Column that holds the path that was read
    ) -> str:  # SQL
        "The path of the file itself, in place of its copy."
        if not self: return column
        pairs = ", ".join(f"{quote_text(copy)}: {quote_text(file)}" for file, copy in self.items())
        return f"coalesce(MAP {{{pairs}}}[{column}], {column}) AS {column}"

    def add(self, path: str) -> None:
        "Write the text of a file in UTF-8, without a byte order mark and unpacked."
        import shutil  # Few files need a copy
        import tempfile
        if not self:
            self.folder = tempfile.mkdtemp(prefix="sampling_eval")
            weakref.finalize(self, shutil.rmtree, self.folder, True)
        self[path] = os.path.join(self.folder, str(len(self)))
        try:
            with open_file(path) as text, open(self[path], "wb") as copy:
                shutil.copyfileobj(text, copy)
        except UnicodeDecodeError as error:
            raise ValueError(f"{path!r}: not {error.encoding.upper()}") from None
        except BROKEN: raise ValueError(tell_broken(path)) from None


def copy_files(
    files: Sequence[str],  # Files of any kinds
) -> Copies:  # Copies of some of them
    """Copies of tables of SQLite, and of texts in another encoding than plain UTF-8.

    Raises: `ValueError` naming a file that is not what it says.
    """
    copies = Copies()
    for file in files:
        if needs_copy(file): copies.add(file)
        elif not is_remote(file): check_whole(file)
    return copies


def needs_copy(file: str) -> bool:
    kind = None if is_remote(file) else kind_of(file)
    if kind not in ("json", "csv"): return False
    if is_table(file): return True
    try: encoding = find_encoding(file)
    except BROKEN: raise ValueError(tell_broken(file)) from None
    # A mark at the beginning of a CSV file is left out by DuckDB as well.
    return encoding is not None and (kind, encoding) != ("csv", "utf-8-sig")
