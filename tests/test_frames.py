"Which library makes a frame, and what is said where none is there."
import pytest

from sampling_eval.results import base
from sampling_eval.results.base import choose_backend, frame, list_backends


def test_the_library_of_a_frame(monkeypatch):
    monkeypatch.setattr(base, "find_spec", lambda name: name != "pandas")
    assert list_backends() == ["polars", "pyarrow"] and choose_backend() == "polars"
    assert choose_backend("pyarrow") == "pyarrow"
    with pytest.raises(ImportError, match="^a frame needs pandas: pip install pandas$"): choose_backend("pandas")
    with pytest.raises(ValueError,
                       match=r"^backend must be one of \('pandas', 'polars', 'pyarrow'\), got 'dask'$"):
        choose_backend("dask")
    monkeypatch.setattr(base, "find_spec", lambda name: None)
    with pytest.raises(ImportError,
                       match="^a frame needs pandas, polars or pyarrow: pip install pandas$"): frame(dict(a=[1]))
    with pytest.raises(ImportError, match="^a frame needs polars: pip install polars$"): choose_backend("polars")
