# SPDX-License-Identifier: Apache-2.0
"""From potential to code: code = T(potential), cost = the integral of T^-1(u) - u from the minimum."""
import math

import numpy as np


class CaseError(Exception):
    """What the case's author can mend."""


class Hard:
    def __init__(self, threshold):
        if threshold < 0:
            raise CaseError("threshold is to be from 0 with hard: below it T would fall")
        self.threshold = threshold

    def code(self, v):
        return np.where(v >= self.threshold, v, 0.0)

    def cost(self, a):
        return np.where(a != 0, 0.5 * self.threshold ** 2, 0.0)


class Soft:
    def __init__(self, threshold):
        self.threshold = threshold

    def code(self, v):
        return np.where(v >= self.threshold, v - self.threshold, 0.0)

    def cost(self, a):
        return self.threshold * np.abs(a)


class Firm:
    """0 below the threshold, v from threshold + width on, a straight ramp between."""

    def __init__(self, threshold, width):
        self.threshold, self.width, self.top = threshold, width, threshold + width
        if width < 0 or self.top < 0:
            raise CaseError("width and threshold + width are to be from 0 with firm")

    def code(self, v):
        ramp = (v - self.threshold) * (self.top / self.width if self.width > 0 else 0.0)
        return np.where(v >= self.top, v, np.where(v >= self.threshold, ramp, 0.0))

    def cost(self, a):
        if self.top == 0:
            return np.zeros_like(a)
        reached = np.minimum(np.abs(a), self.top)
        return self.threshold * reached * (1 - reached / (2 * self.top))


class Points:
    """Straight between given points; two points of one v are a jump; a slope at either end."""

    def __init__(self, v, a, slope_below, slope_above, minimum):
        if len(v) != len(a) or not v or not np.all(np.isfinite(v + a)):
            raise CaseError("vertices_v and vertices_a are to be as many, at least one, and finite")
        if np.any(np.diff(v) < 0) or np.any(np.diff(a) < 0) or slope_below < 0 or slope_above < 0:
            raise CaseError("the transfer falls somewhere: it is to rise or stay, for it to have a cost")
        self.v, self.a = [float(x) for x in v], [float(x) for x in a]
        self.below, self.above = slope_below, slope_above
        self.minimum = minimum

    def code(self, v):
        result = self.a[0] + self.below * (v - self.v[0])
        for i in range(len(self.v)):  # the last whose v is reached decides
            if i + 1 == len(self.v):
                slope = self.above
            elif self.v[i + 1] == self.v[i]:
                slope = 0.0
            else:
                slope = (self.a[i + 1] - self.a[i]) / (self.v[i + 1] - self.v[i])
            result = np.where(v >= self.v[i], self.a[i] + slope * (v - self.v[i]), result)
        return result

    def integral(self, u):
        """Of T^-1(u) - u from the first vertex on; each piece is a trapezium. Past the codes that T
        takes there is nothing to add."""
        u = np.asarray(u, dtype=np.float64)
        total = np.zeros_like(u)

        def piece(start, end, v, slope):  # from start, where T^-1 is v, to end
            return (end - start) * (v + 0.5 * slope * (end - start) - 0.5 * (end + start))

        for i in range(len(self.a) - 1):
            rise = self.a[i + 1] - self.a[i]
            if rise > 0:
                slope = (self.v[i + 1] - self.v[i]) / rise
                end = np.clip(u, self.a[i], self.a[i + 1])
                total = total + piece(self.a[i], end, self.v[i], slope)
        if self.below > 0:
            end = np.minimum(u, self.a[0])
            total = total + piece(self.a[0], end, self.v[0], 1 / self.below)
        if self.above > 0:
            end = np.maximum(u, self.a[-1])
            total = total + piece(self.a[-1], end, self.v[-1], 1 / self.above)
        return total

    def cost(self, a):
        return self.integral(a) - self.integral(self.minimum)


def general(threshold, shift, width, minimum, maximum):
    """minimum below the threshold, v - shift from threshold + width on, a ramp between; at most maximum."""
    if maximum < threshold or maximum < minimum or width < 0:
        raise CaseError("maximum is to be from threshold and minimum, width from 0")
    top = threshold + width
    v, a, above = [threshold, top], [minimum, top - shift], 1.0
    if maximum <= a[1]:
        # The ramp reaches the maximum, or the jump passes it.
        share = (maximum - minimum) / (a[1] - minimum) if a[1] > minimum else 0.0
        v, a, above = [threshold, threshold + share * width], [minimum, maximum], 0.0
    elif maximum < math.inf:
        v, a, above = v + [maximum + shift], a + [maximum], 0.0
    return Points(v, a, 0.0, above, minimum)


class TwoSided:
    """sign(V) T(|V|)"""

    def __init__(self, half):
        if half.code(np.zeros(1))[0] != 0:
            raise CaseError("two_sided wants a transfer that is 0 at 0")
        self.half = half

    def code(self, v):
        return np.sign(v) * self.half.code(np.abs(v))

    def cost(self, a):
        return self.half.cost(np.abs(a))


def transfer_of(case):
    def made(kind, *names):
        return kind(*(case[name] for name in names))

    if case["transfer"] == "hard":
        transfer = made(Hard, "threshold")
    elif case["transfer"] == "soft":
        transfer = made(Soft, "threshold")
    elif case["transfer"] == "firm":
        transfer = made(Firm, "threshold", "width")
    elif case["transfer"] == "general":
        transfer = made(general, "threshold", "shift", "width", "minimum", "maximum")
    else:
        transfer = made(Points, "vertices_v", "vertices_a", "slope_below", "slope_above", "minimum")
    return TwoSided(transfer) if case["two_sided"] else transfer
