"Chances in fractions, by which explorers are checked."

from fractions import Fraction
from math import comb


def chance(n, c, p):
    return comb(n, c) * p**c * (1 - p) ** (n - c)


def at_least(n, c, p):
    return sum(chance(n, j, p) for j in range(c, n + 1))


def stops_at(name, t, wins, looks, at):
    "Whether a rule of the peeking explorer stops."
    p = min(Fraction(1), 2 * at_least(t, max(wins, t - wins), Fraction(1, 2)))
    if name == "one look":
        return at == looks and p <= Fraction(1, 20)
    if name == "every look":
        return p <= Fraction(1, 20)
    if name == "level shared":
        return p <= Fraction(1, 20 * looks)
    return Fraction(2**t, (t + 1) * comb(t, wins)) >= 20
