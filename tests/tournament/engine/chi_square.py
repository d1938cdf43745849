"""The chi-square test in plain Python: the chance of a distance at least this large."""

import math


def chi_square_p(distance: float, degrees: int) -> float:
    """1 − P(degrees/2, distance/2), P being the regularised incomplete gamma function, by its series."""
    shape, x = degrees / 2, distance / 2
    term = total = 1 / shape
    step = shape
    while term > total * 1e-15:
        step += 1
        term *= x / step
        total += term
    return 1 - total * math.exp(shape * math.log(x) - x - math.lgamma(shape))
