"""Old place of the columns of the questions."""
from ..results.columns import Columns, Gap, Spread

__all__ = ["Columns", "Spread", "Gap"]
