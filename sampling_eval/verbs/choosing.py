"""Old name of `metric_choice`."""
from .metric_choice import *  # noqa: F403
