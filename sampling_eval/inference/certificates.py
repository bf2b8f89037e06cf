"Numerics of extrapolation: a proven bound over every distribution of difficulty."
from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, partial

import numpy as np
from numpy.typing import ArrayLike

from ..foundations.credit import Credit, credits_of, resolve_credit
from ..foundations.urn import draws, mean_credit


def _binomial(n, j, p):
    from scipy.special import xlog1py, xlogy
    return np.exp(_log_ways(n, j) + xlogy(j, p) + xlog1py(n - j, -p))


@cache
def _log_ways(n, j):
    from scipy.special import gammaln
    return gammaln(n + 1.) - gammaln(j + 1.) - gammaln(n - j + 1.)


def bend_terms(h, at_most, m, y):
    "Second derivative of `f` as binomial chances: size by degree and number right."
    k, terms = len(h) - 1, {}
    second = k * (k - 1.) * np.diff(h, 2)
    # What rounding of the sizes themselves can change, as a constant.
    constant = 2**-50 * (k**2 * np.abs(h).max() + m**2 * np.abs(y).sum())
    if np.count_nonzero(second) > 256:
        constant, second = constant + max(0., -second.min()), np.zeros(0)
    def add(degree, j, size):
        if 0 <= j <= degree: terms[degree, j] = terms.get((degree, j), 0.) + size
    for j in np.flatnonzero(second).tolist(): add(k - 2, j, second[j])
    for t, size in zip(np.asarray(at_most).tolist(), (y * m * (m - 1.)).tolist()):
        add(m - 2, t - 1, size)
        add(m - 2, t, -size)
    add(0, 0, -constant)
    return terms


def _deepest(terms, a, b):
    "Upper bound of `-f''` on each interval from `a` to `b`."
    total, safe = np.zeros(len(a)), 1e-6
    for (n, j), size in terms.items():
        if size < 0:
            total -= size * _binomial(n, j, np.clip(j / max(n, 1), a, b)) * (1 + safe)
        else:
            least = np.minimum(_binomial(n, j, a), _binomial(n, j, b))
            total -= size * least * (1 - safe)
    return np.maximum(total, 0) * (1 + safe)


def ceiling_of(f, terms, p, v, room):
    "Largest value of `f` found, and its place; no other is higher by more than `room`."
    a, b, fa, fb = p[:-1], p[1:], v[:-1], v[1:]
    top, place = v.max(), p[v.argmax()]
    while True:
        over = np.maximum(fa, fb) + (b - a)**2 / 8 * _deepest(terms, a, b) > top + room
        if not over.any(): return top, place
        a, b, fa, fb = a[over], b[over], fa[over], fb[over]
        middle = (a + b) / 2
        fm = f(middle)
        if fm.max() > top: top, place = fm.max(), middle[fm.argmax()]
        a, b, fa, fb = np.r_[a, middle], np.r_[middle, b], np.r_[fa, fm], np.r_[fm, fb]


def _in_blocks(f, p, rows):
    "A function of chances, computed for so many of them at a time."
    return np.concatenate([f(p[i:i+rows]) for i in range(0, max(len(p), 1), rows)])


def kind_of_credit(
    credit: str | Credit,  # A name, or a function from `k` to credits `h(0..k)`
    k: np.ndarray,  # Budgets
) -> str:  # `any`, `all` or `other`
    "Whether a credit pays for any right sample, for all right, or otherwise."
    credit = resolve_credit(credit)
    h = [credits_of(credit, int(m)) for m in np.unique(np.r_[2, 3, k])]
    if all(np.array_equal(x, np.arange(len(x)) > 0) for x in h): return "any"
    if all(np.array_equal(x, np.arange(len(x)) == len(x) - 1) for x in h): return "all"
    return "other"


@dataclass(frozen=True, eq=False)
class Program:
    "The mean credit `sign * h` at budget `k`, and limits for the chances."
    low: np.ndarray
    high: np.ndarray
    at_most: np.ndarray
    m: int
    k: int
    credit: str | Credit
    sign: int = 1

    @cached_property
    def h(self):
        return self.sign * np.asarray(resolve_credit(self.credit)(self.k), float)

    @cached_property
    def closed(self): return kind_of_credit(self.credit, np.array([self.k])) == "any"

    def reward(self, p):
        "Mean credit at each chance, shape `(P,)`."
        if self.closed:
            return -self.sign * np.expm1(self.k * np.log1p(-np.minimum(p, 1 - 2**-53)))
        k = np.array([self.k])
        def mean(p): return mean_credit(p, 1 - p, k, self.credit, step=0)[:, 0]
        return self.sign * _in_blocks(mean, p, max(1, 2**21 // self.k))

    def chances(self, p):
        "Chance of at most `at_most` right of `m`, shape `(P, M)`."
        def sums(p): return draws(p, 1 - p, self.m, step=0).cumsum(-1)[:, self.at_most]
        return _in_blocks(sums, p, max(1, 2**20 // (self.m + 1)))

    def f(self, p, y): return self.reward(p) - self.chances(p) @ y

    def allowed(self, y):
        return np.maximum(y, 0) @ self.high + np.minimum(y, 0) @ self.low

    def slopes(self, p, y):
        "First and second derivative of `f`."
        k, m, h = self.k, self.m, self.h
        if self.closed:
            first = self.sign * k * (1 - p)**(k - 1.)
            second = -self.sign * k * (k - 1.) * (1 - p)**(k - 2.) if k > 1 else 0 * p
        else:
            first = k * draws(p, 1 - p, k - 1, step=0) @ np.diff(h)
            second = 0 * p
            if k > 1:
                second = k * (k - 1.) * draws(p, 1 - p, k - 2, step=0) @ np.diff(h, 2)
        one, two = self.chance_slopes(p)
        return first - one @ y, second - two @ y

    def chance_slopes(self, p):
        "First and second derivatives of the chances, each of shape `(P, M)`."
        m, t = self.m, np.asarray(self.at_most).tolist()
        def law(n, j): return _binomial(n, j, p) if 0 <= j <= n else 0 * p
        first = -m * np.stack([law(m - 1, j) for j in t], -1)
        steps = [law(m - 2, j) - law(m - 2, j - 1) for j in t]
        return first, m * (m - 1.) * np.stack(steps, -1)


def propose_prices(program, reward, chance):
    "Prices, level and weights for distributions on the points; None if it fails."
    from scipy.optimize import linprog
    # A limit may be broken at a price no good bound needs: so a solution always exists.
    most, own = 1e6, np.eye(len(program.low))
    inside = np.block([[chance.T, -own, 0 * own], [-chance.T, 0 * own, -own]])
    cost = np.r_[-reward, np.full(2 * len(own), most)]
    whole = np.r_[np.ones(len(reward)), np.zeros(2 * len(own))][None]
    for tolerance in 1e-10, 1e-9, 1e-7:
        options = dict(primal_feasibility_tolerance=tolerance,
                       dual_feasibility_tolerance=tolerance)
        limits = np.r_[program.high, -program.low]
        run = linprog(cost, inside, limits, whole, [1.], (0, None), "highs",
                      options=options)
        if run.status == 0:
            up, down = np.split(np.maximum(-run.ineqlin.marginals, 0), 2)
            return up - down, -run.eqlin.marginals[0], run.x[:len(reward)]


def sharpen_prices(program, y, level, p, w):
    "Prices and support after Newton steps from the linear program; None if they fail."
    used, size = np.flatnonzero(y), len(p)
    limit, sign = np.where(y > 0, program.high, program.low)[used], np.sign(y)
    y = y.copy()
    for _ in range(10):
        chances, (one, two) = program.chances(p)[:, used], program.slopes(p, y)
        room, rise = np.minimum(p, 1 - p), program.chance_slopes(p)[0][:, used]
        # Where f is flat up to the end of the range, a point may stay where it is.
        free = np.flatnonzero(-two * room**2 > 1e-9)
        moves, weighs = len(free), len(free) + size
        off = np.r_[program.f(p, y) - level, (one * room)[free],
                    chances.T @ w - limit, w.sum() - 1]
        change = np.zeros((len(off), weighs + len(used) + 1))
        change[free, np.arange(moves)] = (one * room)[free]
        change[:size, weighs:-1], change[:size, -1] = -chances, -1
        change[size + np.arange(moves), np.arange(moves)] = (two * room**2)[free]
        change[size:weighs, weighs:-1] = -(rise * room[:, None])[free]
        change[weighs:-1, :moves] = ((w * room)[:, None] * rise)[free].T
        change[weighs:-1, moves:weighs] = chances.T
        change[-1, moves:weighs] = 1
        step = np.linalg.lstsq(change, -off, rcond=1e-13)[0]
        far = np.abs(step[:moves]).max(initial=0) > .5
        if far or not np.isfinite(step).all(): return None
        p = p.copy()
        p[free] += step[:moves] * room[free]
        w, level = w + step[moves:weighs], level + step[-1]
        y[used] += step[weighs:-1]
        if np.abs(step[moves:]).max() < 1e-14: break
    return np.where(y * sign < 0, 0, y), p, np.maximum(w, 0)


def support_points(p, w, used):
    "Points with weight, neighbours joined, and their weights."
    place = np.flatnonzero(used)[w > 0]
    first = np.flatnonzero(np.r_[True, np.diff(place) > 4])
    weight = np.add.reduceat(w[w > 0], first)
    return np.add.reduceat(w[w > 0] * p[place], first) / weight, weight


@dataclass(frozen=True, eq=False)
class Certificate:
    "Proof of an upper bound on the mean credit of all distributions inside a band."
    y: np.ndarray  # Price of each threshold, shape `(M,)`
    level: float  # At least the maximum of `f` over all `p`
    bound: float  # The level plus what the band allows at these prices, rounded up


def _prove(program, y, p, room=1e-10):
    "Certificate for any prices, and the highest place found."
    terms = bend_terms(program.h, program.at_most, program.m, y)
    f = lambda x: program.f(x, y)
    top, place = ceiling_of(f, terms, p, f(p), room)
    degree, most = 1 if program.closed else program.k, np.abs(program.h).max()
    slop = 2**-49 * ((degree + 2) * most + (program.m + 2 + len(y)) * np.abs(y).sum())
    level = float(top + room + slop)
    return Certificate(y, level, float(level + program.allowed(y) + slop)), place


def _grid(k):
    ends = np.geomspace(1e-3 / k, .5, 120)
    return np.unique(np.r_[0, ends, np.linspace(0, 1, 81), 1 - ends, 1])


def _strays(f, terms, p, v, level):
    "Places where `f` peaks above the level, with neighbours, and by how much it does."
    edge = np.r_[-np.inf, v, -np.inf]
    peak = np.flatnonzero((v >= edge[:-2]) & (v >= edge[2:]))
    a, b = p[np.maximum(peak - 1, 0)], p[np.minimum(peak + 1, len(p) - 1)]
    able = v[peak] + (b - a)**2 / 8 * _deepest(terms, a, b) > level
    a, b, each = a[able], b[able], np.arange(able.sum())
    if not len(each): return np.zeros(0), 0.
    width = (b - a) / 2
    for _ in range(2):
        x = np.linspace(a, b, 17)
        fx = f(x.ravel()).reshape(x.shape)
        best = fx.argmax(0)
        spot, height, gap = x[best, each], fx[best, each], (b - a) / 16
        a, b = np.maximum(spot - gap, 0), np.minimum(spot + gap, 1)
    spot, width = spot[height > level], width[height > level]
    # The next peak is close by, at a distance not known: neighbours on several scales.
    near = spot + width * np.array([0, -1/4, 1/4, -1/16, 1/16, -1/64, 1/64])[:, None]
    return np.unique(np.clip(near, 0, 1)), max(0., height.max() - level)


def _sharp_proof(program, y, level, p, support):
    "Certificate from sharpened prices, and whether a distribution inside reaches it."
    sharp = sharpen_prices(program, y, level, *support)
    if sharp is None: return None, False
    y, places, w = sharp
    found, _ = _prove(program, y, np.unique(np.r_[p, places]))
    mean = program.chances(places).T @ w
    beyond = (program.low - mean).max(), (mean - program.high).max()
    outside = max(*beyond, abs(w.sum() - 1))
    short = found.bound - w @ program.reward(places)
    slack = 1.2e-10 + 4 * 2**-49 * len(program.h) * np.abs(w).sum()
    return found, outside < 1e-11 and short < slack


class _Points:
    "Chances at which the bound is looked at, and those that make up the next proposal."
    def __init__(self, program, p):
        self.program, self.p, self.used = program, p, np.ones(len(p), bool)
        self.rewards, self.chances = program.reward(p), program.chances(p)

    def propose(self):
        "Prices, level and weights from the points in use; None if the solver fails."
        rewards, chances = self.rewards[self.used], self.chances[self.used]
        return propose_prices(self.program, rewards, chances)

    def values(self, y): return self.rewards - self.chances @ y

    def find_strays(self, y, level):
        "Places between the points that lie above the level, and by how much."
        program = self.program
        terms = bend_terms(program.h, program.at_most, program.m, y)
        f = partial(program.f, y=y)
        return _strays(f, terms, self.p, self.values(y), level)

    def choose(self, y, level, depth):
        "Use the points above the level, and of those in use the ones close below it."
        v = self.values(y)
        self.used = self.used & (v > level - depth) | (v > level)

    def add(self, places):
        "Further points, all of which are used."
        new = np.setdiff1d(places, self.p)
        order = np.argsort(np.r_[self.p, new])
        def insert(old, more): return np.r_[old, more][order]
        self.p = insert(self.p, new)
        self.used = insert(self.used, np.ones(len(new), bool))
        self.rewards = insert(self.rewards, self.program.reward(new))
        self.chances = insert(self.chances, self.program.chances(new))


def _choose_proof(sharp, plain, slack):
    "The least bound, by plain prices only where it is clearly less."
    def least(proofs): return min(proofs, key=lambda o: o.bound, default=None)
    best, other = least(sharp), least(plain)
    # The digits of sharpened prices do not depend on the path.
    if best is None or other and other.bound < best.bound - slack: return other
    return best


def certify(
    low: ArrayLike,  # Least mean chance of at most `at_most` right of `m`, shape `(M,)`
    high: ArrayLike,  # Largest such chance, shape `(M,)`
    at_most: ArrayLike,  # Thresholds, shape `(M,)`, each in `0..m-1`
    m: int,  # Samples the chances refer to
    k: int,  # Budget
    credit: str | Credit,  # A name, or a function from `k` to credits `h(0..k)`
    sign: int = 1,  # 1 for the largest mean credit; -1 for the largest of its negative
) -> Certificate:  # Prices, level and bound
    """Proven upper bound on the mean credit of all distributions of `p` in a band.

    Value: usually within 1e-9 of the least such bound, and never below it.
    """
    band = np.asarray(low, float), np.asarray(high, float), np.asarray(at_most)
    program = Program(*band, m, k, credit, sign)
    points, room, sharp, plain = _Points(program, _grid(max(k, m))), 1e-10, [], []
    for step in range(16):
        proposal = points.propose()
        if proposal is None: break
        y, level, w = proposal
        more, gap = points.find_strays(y, level + room)
        if gap < 1e-3:
            support = support_points(points.p, w, points.used)
            proof, reached = _sharp_proof(program, y, level, points.p, support)
            if proof is not None: sharp.append(proof)
            if reached: break
        if gap == 0 or step == 15:
            proof, place = _prove(program, y, points.p)
            plain.append(proof)
            if proof.level <= level + 3 * room: break
            more = np.r_[more, place]
        points.choose(y, level, 100 * (gap + room))
        points.add(more)
    # Without prices the largest credit is the bound.
    if not sharp + plain: plain = [_prove(program, np.zeros(len(band[0])), points.p)[0]]
    return _choose_proof(sharp, plain, 3 * room)
