"Numbers that agree, and are of one shape and type: what numpy 2 calls strict, for older ones too."

import numpy as np


def assert_close(got, wanted, **tolerances):
    got, wanted = np.asarray(got), np.asarray(wanted)
    assert got.shape == wanted.shape and got.dtype == wanted.dtype
    np.testing.assert_allclose(got, wanted, **tolerances)
