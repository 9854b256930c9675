"""The normal distribution, and quantiles of Student's."""

from __future__ import annotations

from math import erfc, exp, pi, sqrt
from statistics import NormalDist

_ROOT_2 = sqrt(2)
_DENSITY = 1 / sqrt(2 * pi)
_FAR = -30.0
"""Below this, the normal distribution is close to the smallest float."""


def normal_share(z: float) -> float:
    """Return the share of the normal distribution below z."""
    return erfc(-z / _ROOT_2) / 2


def pull(z: float) -> float:
    """Return the slope of the logarithm of `normal_share`."""
    if z < _FAR:
        return -z - 1 / z
    return _DENSITY * exp(-z * z / 2) / normal_share(z)


def student_quantile(share: float, degrees: float) -> float:
    """Return the quantile of Student's distribution, within 0.2 % for three degrees and more.

    The expansion of Cornish and Fisher, 26.7.5 of Abramowitz and Stegun.
    """
    z = NormalDist().inv_cdf(share)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    quantile, scale = z, 1.0
    for term in terms:
        scale /= degrees
        quantile += term * scale
    return quantile
