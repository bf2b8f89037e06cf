"""Old names of analyses, for modules that are not converted yet."""
from ..results.analysis import Analysis, usual_verdict

__all__ = ["Analysis", "usual_verdict"]
