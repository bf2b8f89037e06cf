"Numerics of Gaffke's interval: a chance by a path in the complex plane, a limit by search."
from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import ArrayLike

from .quantiles import find_roots, normal_quantile

MOST_UNTHINNED = 1000  # Distinct values that are not thinned
STEP, FINE_STEP = 0.125, 0.05
LOOKS = 3.1, 4.2, 7.0  # Where the path may end; with few questions it is long


def tail_chance(
    z: np.ndarray,  # Values, one row per question asked, shape `(R, S)`
    times: np.ndarray,  # How often each value occurs, shape `(S,)` or `(R, S)`
    shift: ArrayLike = 0.,  # A constant added to the sum, shape `(R,)`
) -> np.ndarray:  # `P(shift + sum G_j z_j > 0)` with `G_j ~ Gamma(times_j)`, shape `(R,)`
    """Chance that the sum of randomly weighted values is positive.

    Value: by quadrature, without draws; relative error of the smaller tail about 1e-9
    where the `times` add up to 2 or more.

    Raises: `ValueError` unless all numbers are finite.
    """
    times = np.broadcast_to(np.asarray(times, float), z.shape)
    shift = np.broadcast_to(np.asarray(shift, float), len(z))
    if not (np.isfinite(z).all() and np.isfinite(shift).all()):
        raise ValueError("z and shift must be finite")
    # A value that never occurs must not set the scale.
    z = np.where(times > 0, z, 0.)
    # The quadrature is accurate for the smaller tail.
    turned = np.where(shift + (times * z).sum(-1) > 0, -1., 1.)
    z, shift = z * turned[:, None], shift * turned
    # The saddle lies below 1/max z; without a positive z, below (1 + times) / shift.
    unit = np.where(z.max(-1) > 0, z.max(-1), shift / (1 + times.sum(-1)))
    chance, rows = np.zeros(len(z)), np.flatnonzero(unit > 0)
    block = max(1, 2**18 // z.shape[1])
    for some in (rows[i:i + block] for i in range(0, len(rows), block)):
        scaled = z[some] / unit[some, None], times[some], shift[some] / unit[some]
        chance[some] = integrate(*scaled)
    return np.where(turned > 0, chance, 1 - chance)


def saddle_point(
    z: np.ndarray,  # Values, scaled to at most 1, shape `(R, S)`
    times: np.ndarray,  # How often each occurs, shape `(R, S)`
    shift: np.ndarray,  # A constant added to the sum, shape `(R,)`
) -> np.ndarray:  # The saddle of each row, in (0, 1)
    "Where the integrand is smallest: the root of `shift + sum a z / (1 - sz) = 1/s`."
    s, near = 1 / (1 + times.sum(-1)), np.zeros(len(z), bool)
    for _ in range(60):
        pull = z / (1 - s[:, None] * z)
        left, rise = shift + (times * pull).sum(-1), (times * pull**2).sum(-1)
        new = step_between_poles(left, rise, s)
        # Any point near the saddle serves; a thousandth of its width is near.
        s, step = np.where(near, s, new), np.abs(new - s)
        # A row stays where it is near, so that its digits do not depend on the others.
        near |= step * np.sqrt(rise + s**-2) < 1e-3
        if near.all(): break
    return s


def step_between_poles(left, rise, s):
    "Where `1/x` meets `p + q / (1 - x)`, which touches the left side at `s`."
    # Newton's line knows nothing of the poles at 0 and 1: 15 steps in place of these 4.
    q = rise * (1 - s)**2
    p = left - rise * (1 - s)
    # The one root in (0, 1) of `p x^2 - b x + 1`, without cancellation.
    b = 1 + p + q
    root = np.sqrt(b**2 - 4 * p)
    return np.where(b > 0, 2 / (b + root), (b - root) / np.where(b > 0, 1, 2 * p))


def place_nodes(t, s, width, bend):
    "Nodes of the bent path through `s`, and its slope there."
    y, b, w = np.sinh(t), bend[:, None], width[:, None]
    # Even in y: a corner at the saddle would cost equal steps most digits.
    flat = np.sqrt(1 + (b * y / .6)**2)
    u = s[:, None] + w * (1j * y + b * y**2 / flat)
    slope = w * (1j + b * y * (1 + flat**-2) / flat)
    return u, slope * np.cosh(t)


def sum_logs(u, z, times):
    "Sum of `times log(1 - u z)`: length and angle apart, faster than complex logs."
    real = 1 - u.real[:, None] * z[..., None]
    imaginary = -u.imag[:, None] * z[..., None]
    length = np.einsum("rs,rsn->rn", times, np.log(real**2 + imaginary**2)) / 2
    return length + 1j * np.einsum("rs,rsn->rn", times, np.arctan2(imaginary, real))


@cache
def divide_path(step):
    "Nodes up to each look."
    nodes = np.arange(0, 14, step)
    return np.split(nodes, np.searchsorted(nodes, LOOKS))


def follow_path(z, times, shift, s, width, bend, step):
    "Trapezoid sum along the path, and whether the integrand ever grows on it."
    chance, grows = np.zeros(len(z)), np.zeros(len(z), bool)
    last = None
    for nodes in divide_path(step):
        u, slope = place_nodes(nodes, s, width, bend)
        power = u * shift[:, None] - sum_logs(u, z, times)
        # On a path bent too far it grows without end; that is noticed below.
        height = np.exp(np.minimum(power.real, 700) + 1j * power.imag) / u
        chance += (height * slope).imag @ np.where(nodes == 0, .5, 1)
        size = np.abs(height)
        if last is None: start = last = size[:, :1]
        # Logarithms of a million values are known to about 1e-10.
        rises = np.diff(np.hstack([last, size]), axis=1) > 1e-9 * start
        grows |= rises.any(1)
        last = size[:, -1:]
        if (last <= 1e-15 * start).all(): break
    return step / np.pi * chance, grows


def follow_paths(*rows, step=STEP):
    "The same for many rows: small blocks stay in the cache, five times faster."
    count, states = rows[0].shape
    block = max(1, 2**11 // states)
    cuts = [slice(i, i + block) for i in range(0, count, block)]
    parts = [follow_path(*(o[cut] for o in rows), step) for cut in cuts]
    return tuple(np.concatenate(part) for part in zip(*parts))


def integrate(z, times, shift):
    "The chance of rows whose saddle lies between 0 and 1."
    s = saddle_point(z, times, shift)
    pull = z / (1 - s[:, None] * z)
    square = times * pull**2
    second, third = square.sum(-1), (square * pull).sum(-1)
    bend = np.clip(third / (3 * second**1.5), -1/3, 1/3)
    width = (second + s**-2)**-.5
    chance, grows = follow_paths(z, times, shift, s, width, bend)
    # Where the integrand grew, the path was bent too far.
    for part in .5, .25, .125, 0:
        if not (rows := np.flatnonzero(grows)).size: break
        path = (o[rows] for o in (z, times, shift, s, width, part * bend))
        chance[rows], grows[rows] = follow_paths(*path, step=FINE_STEP)
    return chance


def upper_limits(total, size, times, end, tail, largest):
    "Upper limits of rows of totals `(R, U)` whose questions cannot exceed `end`."
    length = np.einsum("u,u->", times, size)
    mean = np.einsum("u,ru->r", times, total) / length
    weights, middle = np.r_[times, 1], normal_quantile(tail)

    def excess(m):
        invented = (largest * (end[rows] - m))[:, None]
        z = np.hstack([total[rows] - m[:, None] * size, invented])
        chance = np.clip(tail_chance(z, weights), 1e-300, 1 - 1e-16)
        return normal_quantile(chance) - middle

    # A normal limit of the sample with its invented question is a good start.
    center = (mean * length + largest * end) / (length + largest)
    rest = np.einsum("u,ru->r", times, (total - center[:, None] * size)**2)
    step = np.sqrt(rest + (largest * (end - center))**2) / (length + largest)
    start = center - middle * step
    limit, rows = end.copy(), np.flatnonzero(step > 1e-15 * np.abs(end))
    if len(rows):
        limit[rows] = find_roots(excess, mean[rows], end[rows], start[rows], step[rows])
    return np.maximum(limit, mean)


def thin_values(units, points=1025):
    "Units at one budget with at most `points` distinct values; each keeps its mean."
    total, size, times = units.total, units.size, units.times.astype(float)
    if len(total) <= MOST_UNTHINNED: return total, size, times
    # Sorted as complex numbers, ten times faster than as rows.
    rows, state = np.unique(total[:, 0] + 1j * size, return_inverse=True)
    total, size, times = rows.real[:, None], rows.imag, np.bincount(state, times)
    alike = not (units.clustered or units.weighted)
    if len(total) <= MOST_UNTHINNED or not alike: return total, size, times
    y = total[:, 0]
    grid = np.linspace(y[0], y[-1], points)
    place = (y - y[0]) / (y[-1] - y[0]) * (points - 1)
    left = np.minimum(place.astype(int), points - 2)
    weight = np.bincount(left, times * (1 - place + left), points)
    weight += np.bincount(left + 1, times * (place - left), points)
    seen = weight > 0
    return grid[seen, None], np.ones(seen.sum()), weight[seen]
