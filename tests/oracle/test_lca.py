#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What lca.py must do, from first principles: python3 test_lca.py"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
import lca
import transfer as transfers

FIXED = {"iterations": 20, "threshold": 0.3, "tau": 8.0}
ADAPTIVE = {"iterations": 20, "threshold": 0.3, "tau": 8.0, "step_rule": "basic", "base_minimum": 0.5,
            "base_maximum": 1.5, "tau_factor": 0.1, "growth_factor": 0.05}


def random(seed):
    return np.random.default_rng(seed)


def unit(atoms):
    return atoms / np.sqrt(np.sum(atoms ** 2, axis=(-3, -2, -1), keepdims=True))


def near(found, wanted, tolerance=1e-12):
    found, wanted = np.asarray(found, dtype=float), np.asarray(wanted, dtype=float)
    assert found.shape == wanted.shape, (found.shape, wanted.shape)
    assert np.allclose(found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True), \
        f"off by {np.max(np.abs(found - wanted))}: {found} is to be {wanted}"


def refused(word, given, **arrays):
    usual = {"frames": np.ones((1, 1, 1, 4, 4)), "dictionary": np.ones((2, 1, 2, 2))}
    try:
        lca.solve({"iterations": 1, "threshold": 1.0, "stride": 2} | given, **(usual | arrays))
    except transfers.CaseError as error:
        assert word in str(error), f"{error} does not name {word}"
        return
    raise AssertionError(f"{given} is not refused")


def small_case(seed, steps=3, batch=3, lead=()):
    r = random(seed)
    frames = r.standard_normal((steps, batch, 2, 6, 4))
    return frames, unit(r.standard_normal(lead + (5, 2, 4, 4)))


# ---- patches

SHAPES = [((6, 4), (1, 1), 1), ((6, 4), (3, 3), 1), ((6, 4), (5, 3), 1), ((6, 4), (4, 4), 2),
          ((6, 4), (2, 2), 2), ((8, 4), (8, 6), 2), ((9, 6), (5, 3), 3), ((8, 8), (8, 8), 4)]


def seen(y, x, i, j, geometry):
    """The pixel at which position y x sees with its tap i j, if there is one."""
    py, px = (y * geometry.stride + i - geometry.padding[0], x * geometry.stride + j - geometry.padding[1])
    return (py, px) if 0 <= py < geometry.picture[0] and 0 <= px < geometry.picture[1] else None


def drive_is_what_its_loops_say():
    for picture, patch, stride in SHAPES:
        r = random(1)
        x = r.standard_normal((2, 3) + picture)
        sets = lca.Dictionary(r.standard_normal((4, 3) + patch), (1,) + x.shape, stride)
        wanted = np.zeros((2, 4) + sets.geometry.positions)
        for k, y, xx, c, i, j in np.ndindex(wanted.shape[1:] + (3,) + patch):
            at = seen(y, xx, i, j, sets.geometry)
            if at:
                wanted[:, k, y, xx] += x[:, c, at[0], at[1]] * sets.w[k, c, i, j]
        near(sets.drive(x), wanted)


def reconstruction_is_the_adjoint_of_the_drive():
    for picture, patch, stride in SHAPES:
        positions = (picture[0] // stride, picture[1] // stride)
        for lead in ((), (2,), positions, (2,) + positions):
            r = random(2)
            x = r.standard_normal((2, 3) + picture)
            sets = lca.Dictionary(r.standard_normal(lead + (4, 3) + patch), (1,) + x.shape, stride)
            a = r.standard_normal((2, 4) + positions)
            left, right = np.sum(sets.drive(x) * a, axis=(1, 2, 3)), np.sum(x * sets.reconstruction(a), axis=(1, 2, 3))
            near(left, right, 1e-11)
            # dW is the gradient: <W, dW> is the same number once more.
            near(np.sum(sets.w * sets.products(a, sets.geometry.patches(x))), np.sum(left), 1e-11)


def sets_that_are_equal_are_one_set():
    frames, atoms = small_case(3)
    given = FIXED | {"stride": 2}
    one = lca.solve(given, frames, atoms)
    for lead in ((3,), (3, 2), (3, 3, 2)):
        many = lca.solve(given, frames, np.broadcast_to(atoms, lead + atoms.shape))
        for name in ("codes", "energies", "reconstructions"):
            near(many[name], one[name], 1e-11)


# ---- transfer and cost

def inverse(transfer, u):
    """Where T passes u, by halving."""
    low, high = np.full_like(u, -100.0), np.full_like(u, 100.0)
    for _ in range(70):
        middle = 0.5 * (low + high)
        passes = transfer.code(middle) > u
        low, high = np.where(passes, low, middle), np.where(passes, middle, high)
    return 0.5 * (low + high)


def integral(transfer, begin, end, pieces=20000):
    u = begin + (end - begin) * (np.arange(pieces) + 0.5) / pieces
    return np.sum(inverse(transfer, u) - u) * (end - begin) / pieces


def samples():
    """Name, case, where the integral begins."""
    yield "hard", {"transfer": "hard", "threshold": 0.7}, 0
    yield "soft", {"transfer": "soft", "threshold": 0.7}, 0
    yield "soft below 0", {"transfer": "soft", "threshold": -0.2}, 0
    yield "firm", {"transfer": "firm", "threshold": 0.7, "width": 0.9}, 0
    yield "firm, a jump", {"transfer": "firm", "threshold": 0.7, "width": 0.0}, 0
    yield "general", {"transfer": "general", "threshold": 0.7, "shift": 0.2, "width": 0.5, "maximum": 2.0}, 0
    yield "general, a jump", {"transfer": "general", "threshold": 0.7, "shift": 0.3}, 0
    yield "general, minimum", {"transfer": "general", "threshold": 0.7, "width": 0.4, "minimum": -0.5}, -0.5
    yield "general, cut ramp", {"transfer": "general", "threshold": 0.5, "width": 1.0, "maximum": 0.9}, 0
    points = {"transfer": "points", "vertices_v": [-1.0, 0.5, 0.5, 2.0], "vertices_a": [-0.5, 0.0, 0.4, 1.0],
              "slope_below": 0.5, "slope_above": 0.25}
    yield "points", points, 0
    yield "points, minimum", points | {"minimum": -0.25}, -0.25
    yield "points above 0", {"transfer": "points", "vertices_v": [0.5, 2.0], "vertices_a": [0.3, 1.0],
                             "slope_below": 0.0, "slope_above": 0.0}, 0.3


def cost_is_the_integral_of_what_the_inverse_exceeds():
    for name, given, begin in samples():
        transfer = transfers.transfer_of(lca.completed({"iterations": 1} | given))
        codes = np.unique(transfer.code(np.linspace(-2.5, 4.0, 53)))
        assert len(codes) > 4, name
        for a in codes:
            wanted = integral(transfer, begin, a)
            found = float(transfer.cost(np.array([a]))[0])
            assert abs(found - wanted) < 2e-4, (name, a, found, wanted)


def two_sided_is_odd_and_its_cost_even():
    v = np.linspace(-3, 3, 61)
    for kind in ({"transfer": "hard"}, {"transfer": "soft"}, {"transfer": "firm", "width": 0.5},
                 {"transfer": "general", "shift": 0.2, "width": 0.3}):
        one, two = (transfers.transfer_of(lca.completed({"iterations": 1, "threshold": 0.6, "two_sided": both} | kind))
                    for both in (False, True))
        positive = v > 0
        near(two.code(v)[positive], one.code(v)[positive])
        near(two.code(-v), -two.code(v))
        near(two.cost(two.code(-v)), two.cost(two.code(v)))
        near(two.cost(two.code(v))[positive], one.cost(one.code(v))[positive])


def named_transfers_are_general_ones():
    v = np.concatenate([np.linspace(-1, 3, 81), [0.7]])
    pairs = [({"transfer": "hard"}, {}), ({"transfer": "soft"}, {"shift": 0.7}),
             ({"transfer": "firm", "width": 0.5}, {"width": 0.5})]
    for named, with_general in pairs:
        first, second = (transfers.transfer_of(lca.completed({"iterations": 1, "threshold": 0.7} | given))
                         for given in (named, {"transfer": "general"} | with_general))
        near(first.code(v), second.code(v), 1e-14)
        near(first.cost(first.code(v)), second.cost(second.code(v)), 1e-13)


def general_is_cut_at_its_maximum():
    v = np.linspace(-1, 4, 201)
    rows = [(0.5, 0.0, 1.0, 0.0, 0.9), (0.5, 0.2, 1.0, -0.3, 1.3), (0.5, 0.2, 0.5, 0.1, 2.0),
            (0.5, -0.4, 0.3, 0.0, 0.7), (0.5, -0.4, 0.0, 0.0, 0.6)]
    for threshold, shift, width, minimum, maximum in rows:
        top = threshold + width
        ramp = minimum + (v - threshold) / (width or 1.0) * (top - shift - minimum)
        wanted = np.where(v >= top, v - shift, np.where(v >= threshold, ramp, minimum))
        made = transfers.general(threshold, shift, width, minimum, maximum)
        near(made.code(v), np.minimum(wanted, maximum))
        near(made.code(np.array([threshold])), [minimum if width else maximum])


def the_threshold_itself_passes():
    hard = transfers.Hard(0.5)
    near(hard.code(np.array([np.nextafter(0.5, 0), 0.5])), [0, 0.5], 0)
    jump = transfers.Points([1.0, 1.0], [0.0, 2.0], 0.0, 1.0, 0.0)
    near(jump.code(np.array([np.nextafter(1.0, 0), 1.0, 2.0])), [0, 2.0, 3.0], 0)
    near(transfers.TwoSided(hard).code(np.array([-0.5, -0.4])), [-0.5, 0], 0)


# ---- the step in time

def steps_of(rule, energies, **more):
    given = {"base_minimum": 0.5, "base_maximum": 2.0, "tau_factor": 0.5, "growth_factor": 0.5}
    made = lca.StepRule(lca.completed({"iterations": 1, "threshold": 1.0, "step_rule": rule} | given | more))
    steps, caps = [made.step], [made.cap]
    for energy in energies:
        made.advance(energy)
        steps.append(made.step)
        caps.append(made.cap)
    made.begin()
    assert (made.step, made.cap, made.energy) == (0.5, 2.0, None)
    return steps, caps


def basic_rule_is_as_computed_by_hand():
    steps, caps = steps_of("basic", [100, 90, 90, 60, 40, 10, 20, 10, 0, -1, -1])
    near(steps, [0.5, 0.5, 2, 2, 3, 4.5, 3, 0.5, 0.5, 0.5, 0.5, 0.5])
    near(caps, [2, 2, 3, 3, 4.5, 6.75, 6.75, 2, 2, 2, 2, 2])
    # 0.5 * 1000 * 0.5 / 900: below the minimum, and left there.
    near(steps_of("basic", [1000, 100])[0][2], 5 / 18)
    near(steps_of("basic", [0, 0, 5])[0], [0.5, 0.5, 0.5, 0.5])


def knee_rule_is_as_computed_by_hand():
    steps, caps = steps_of("knee", [100, 90, 80, 70, 75], knee_threshold=2.5, knee_slope=0.1)
    near(steps, [0.5, 0.5, 2, 2.1, 2.205, 0.5])
    near(caps, [2, 2, 2.1, 2.205, 2.31525, 2])
    # A reset inside a frame is bent as well, where the maximum lies above the knee.
    steps, caps = steps_of("knee", [100, 90, 95, 90], knee_threshold=1.0, knee_slope=0.1)
    near(steps, [0.5, 0.5, 2, 0.5, 2.09])
    near(caps, [2, 2, 2.1, 2.09, 2.1945])
    # A cap that shrinks takes the step with it.
    steps, caps = steps_of("knee", [100, 90], knee_threshold=0.5, knee_slope=0.1, growth_factor=-0.5)
    near((steps[2], caps[2]), (1.9, 1.9))


def log_rule_is_as_computed_by_hand():
    steps, caps = steps_of("log", [100, 90, 80, 80, 90], log_threshold=4.0, log_slope=0.5)
    third = 3 * (1 + 0.5 * math.sqrt(0.5))  # at 3, half way from 2 to 4, growth has fallen by the root of 0.5
    near(steps, [0.5, 0.5, 2, 3, 3, 0.5])
    near(caps, [2, 2, 3, third, third, 2])


def each_element_has_its_own_step_and_each_frame_begins_again():
    frames, atoms = small_case(4)
    found = lca.solve(ADAPTIVE | {"stride": 2}, frames, atoms)
    near(found["step_sizes"][:, :2], np.full((3, 2, 3), 0.5))
    assert np.all(np.std(found["step_sizes"], axis=2).max(axis=1) > 0)
    for t, b in np.ndindex(3, 3):  # the rule, told the recorded energies, gives the recorded steps
        rule = lca.StepRule(lca.completed(ADAPTIVE))
        for i in range(20):
            assert rule.step == found["step_sizes"][t, i, b]
            rule.advance(found["energies"][t, i, b])


# ---- rounds

def one_pixel(given, x, potential=None):
    """One atom of one tap: everything is a number. A patch of 1 has no border."""
    usual = {"iterations": 6, "threshold": 0.25, "tau": 2.0, "step": 0.5, "two_sided": True}
    frames = np.array(x, dtype=float).reshape(-1, 1, 1, 1, 1)
    return lca.solve(usual | given, frames, np.full((1, 1, 1, 1), 0.8), potential)


def soft(v):
    return math.copysign(max(abs(v) - 0.25, 0.0), v)


def rounds_are_as_computed_with_plain_numbers():
    w, e = 0.8, math.exp(-0.25)
    for variant, energy, self_interaction in [("lca", "fresh", True), ("lca", "lagged", True), ("lca", "fresh", False),
                                              ("momentum", "fresh", True), ("ista", "lagged", None)]:
        given = {"variant": variant, "energy": energy, "rest_value": 0.5}
        if variant == "momentum":
            given["momentum_rate"] = 0.3
        if self_interaction is not None:
            given["self_interaction"] = self_interaction
        found = one_pixel(given, [1.5, -2.0])
        v, before = 0.5, 0.0
        a = soft(v)
        for t, x in enumerate([1.5, -2.0]):
            for i in range(6):
                residual = x - w * a
                g = w * residual
                if variant == "ista":
                    v += 0.25 * (g - 0.25 * ((a > 0) - (a < 0)))
                else:
                    drive = (1 - e) * (g + (a if self_interaction else 0))
                    v = e * v + drive + (0.3 * before if variant == "momentum" else 0)
                    before = drive
                a = soft(v)
                if energy == "fresh":
                    residual = x - w * a
                near(found["energies"][t, i, 0], 0.5 * residual ** 2 + 0.25 * abs(a))
            near(found["potentials"][t].item(), v)
            near(found["codes"][t].item(), a)
            near(found["residuals"][t].item(), x - w * a)
            near(found["reconstructions"][t].item(), w * a)
            near(found["signal_to_noise"][t, 0], 20 * math.log10(abs(x) / abs(x - w * a)))
            assert found["sparsity"][t, 0] == (a == 0)


def rest_and_begins_start_again_and_warm_does_not():
    for given in ({"variant": "momentum", "momentum_rate": 0.4}, {}):
        frames, atoms = small_case(5, steps=2)
        frames[1] = frames[0]
        usual = ADAPTIVE | {"stride": 2, "rest_value": 0.4} | given
        rest = lca.solve(usual | {"start": "rest"}, frames, atoms)
        warm = lca.solve(usual, frames, atoms)
        some = lca.solve(usual, frames, atoms, begins=np.array([[0, 0, 0], [0, 1, 0]]))
        for name in ("potentials", "energies"):
            first, last = (rest[name][t] for t in (0, 1))
            near(last, first, 0)
            near(warm[name][0], first, 0)
            assert not np.allclose(warm[name][1], first)
        near(some["potentials"][1, 1], rest["potentials"][1, 1], 0)
        near(some["potentials"][1, [0, 2]], warm["potentials"][1, [0, 2]], 0)


def potential_of_a_file_is_rest():
    found = one_pixel({"iterations": 1, "start": "rest"}, [0.0, 0.0], potential=np.full((1, 1, 1, 1), 1.25))
    e, w = math.exp(-0.25), 0.8
    near(found["potentials"].ravel(), [e * 1.25 + (1 - e) * (1.0 - w * w * 1.0)] * 2)


def a_silent_picture_has_no_ratio():
    found = one_pixel({}, [0.0, 0.1])
    assert np.isnan(found["signal_to_noise"][0, 0])
    assert found["signal_to_noise"][1, 0] == 0 and found["sparsity"][1, 0] == 1


# ---- what it converges to

def lasso_of_an_orthonormal_dictionary_is_reached():
    r = random(6)
    atoms = np.linalg.qr(r.standard_normal((6, 6)))[0][:4]  # two directions that no atom spans
    frames = r.standard_normal((2, 3, 6, 5, 4))
    threshold = 0.4
    c = np.einsum("kc,tbcyx->tbkyx", atoms, frames)
    codes = np.sign(c) * np.maximum(np.abs(c) - threshold, 0)
    outside = 0.5 * (np.sum(frames ** 2, axis=(2, 3, 4)) - np.sum(c ** 2, axis=(2, 3, 4)))
    each = np.where(np.abs(c) <= threshold, 0.5 * c ** 2, threshold * np.abs(c) - 0.5 * threshold ** 2)
    given = {"threshold": threshold, "two_sided": True, "iterations": 300, "tau": 5.0}
    found = lca.solve(given, frames, atoms.reshape(4, 6, 1, 1))
    near(found["codes"], codes)
    near(found["potentials"], c)
    near(found["energies"][:, -1], outside + np.sum(each, axis=(2, 3, 4)))


def the_conditions_of_the_lasso_hold_where_it_comes_to_rest():
    frames, atoms = small_case(7, steps=1)
    given = {"threshold": 0.4, "two_sided": True, "iterations": 6000, "tau": 10.0, "stride": 2}
    found = lca.solve(given, frames, atoms)
    a, g = found["codes"][0], lca.Dictionary(atoms, frames.shape, 2).drive(found["residuals"][0])
    assert np.any(a != 0) and np.any(a == 0)
    near(g[a != 0], 0.4 * np.sign(a[a != 0]), 1e-8)
    assert np.all(np.abs(g[a == 0]) <= 0.4 + 1e-8)


def energy_never_rises_with_a_small_step():
    frames, atoms = small_case(8)
    for two_sided in (False, True):
        given = {"threshold": 0.3, "two_sided": two_sided, "iterations": 400, "tau": 50.0, "step": 0.5, "stride": 2,
                 "start": "rest"}
        energies = lca.solve(given, frames, atoms)["energies"]
        assert np.all(np.diff(energies, axis=1) <= 1e-12)
        assert np.all(energies[:, -1] < 0.95 * energies[:, 0])


def a_batch_is_its_elements_one_by_one():
    for given in (FIXED, ADAPTIVE, FIXED | {"variant": "momentum", "momentum_rate": 0.2}):
        for own in (False, True):
            frames, atoms = small_case(9, lead=(3,) if own else ())
            given = given | {"stride": 2, "learn": own, "rate": 0.1}
            whole = lca.solve(given, frames, atoms)
            for b in range(3):
                alone = lca.solve(given, frames[:, b:b + 1], atoms[b:b + 1] if own else atoms)
                for name in ("potentials", "codes", "residuals", "reconstructions", "signal_to_noise", "sparsity"):
                    near(alone[name][:, 0], whole[name][:, b], 1e-11)
                for name in ("energies", "step_sizes"):
                    near(alone[name][:, :, 0], whole[name][:, :, b], 1e-11)
                if own:
                    near(alone["dictionaries"][:, 0], whole["dictionaries"][:, b], 1e-11)


# ---- learning

def naive_products(a, residual, geometry, lead, weight):
    """Sum of weight(a) times tap, and of 1 for each tap inside the border, by loops."""
    batch, atoms, ny, nx = a.shape
    channels = residual.shape[1]
    total = np.zeros((batch, ny, nx, atoms, channels) + geometry.patch)
    inside = np.zeros_like(total)
    for b, y, x, k in np.ndindex(batch, ny, nx, atoms):
        for c, i, j in np.ndindex(channels, *geometry.patch):
            at = seen(y, x, i, j, geometry)
            if at:
                total[b, y, x, k, c, i, j] = a[b, k, y, x] * residual[b, c, at[0], at[1]]
                inside[b, y, x, k, c, i, j] = weight(a[b, k, y, x])
    dims = tuple(d for d, kept in enumerate([len(lead) in (1, 3), len(lead) >= 2, len(lead) >= 2]) if not kept)
    return total.sum(axis=dims), inside.sum(axis=dims)


def dw_is_the_products_divided_by_the_count():
    for lead in ((), (3,), (3, 2), (3, 3, 2)):
        frames, atoms = small_case(10, steps=2, lead=lead)
        for count in ("elements", "positions", "activations", "per_weight"):
            given = FIXED | {"stride": 2, "learn": True, "rate": 0.2, "count": count}
            found = lca.solve(given, frames, atoms)
            geometry = lca.Geometry((6, 4), (4, 4), 2)
            for t in range(2):
                a = found["codes"][t]
                total, inside = naive_products(a, found["residuals"][t], geometry, lead, lambda u: u != 0)
                elements = 1 if len(lead) in (1, 3) else 3
                positions = 1 if len(lead) >= 2 else 6
                active = (a != 0).transpose(0, 2, 3, 1)  # b y x k
                dims = tuple(d for d in range(3) if (d == 0 and elements > 1) or (d > 0 and positions > 1))
                divisor = {"elements": elements, "positions": elements * positions, "per_weight": inside,
                           "activations": active.sum(axis=dims)[..., None, None, None]}[count]
                divisor = np.broadcast_to(divisor, total.shape)
                wanted = np.zeros_like(total)
                np.divide(0.2 * total, divisor, out=wanted, where=divisor != 0)
                near(found["updates"][t], wanted)
                near(found["dictionaries"][t + 1], unit(found["dictionaries"][t] + wanted))


def silent_atoms_are_left_alone():
    frames, atoms = small_case(11, steps=1)
    atoms[2] = 0.0
    for count in ("elements", "activations", "per_weight"):
        found = lca.solve(FIXED | {"stride": 2, "learn": True, "count": count}, frames, atoms)
        assert np.all(found["dictionaries"][1][2] == 0) and np.all(np.isfinite(found["dictionaries"]))


def applied(steps, **given):
    """Which steps, from 1, change the dictionary, and the whole answer."""
    frames, atoms = small_case(12, steps=steps)
    found = lca.solve(FIXED | {"stride": 2, "learn": True, "rate": 0.1, "iterations": 10} | given, frames, atoms)
    changed = [t + 1 for t in range(steps) if np.any(found["dictionaries"][t + 1] != found["dictionaries"][t])]
    assert changed == [t + 1 for t in range(steps) if np.any(found["updates"][t] != 0)]
    return changed, found


def updates_and_syncs_are_counted_from_one():
    assert applied(3, learn=False)[0] == []
    assert applied(4)[0] == [1, 2, 3, 4]
    assert applied(4, first_update=3)[0] == [3, 4]
    assert applied(8, update_period=3)[0] == [1, 4, 7]
    assert applied(8, update_period=3, first_update=2)[0] == [2, 5, 8]
    assert applied(8, sync_every=3)[0] == [3, 6]
    assert applied(9, update_period=2, sync_every=2, first_update=2)[0] == [4, 8]
    assert applied(4, late=True)[0] == [2, 3, 4]
    assert applied(8, late=True, sync_every=2)[0] == [4, 6, 8]
    assert applied(9, late=True, update_period=2, first_update=3)[0] == [5, 7, 9]


def products_of(found, t, count):
    sets = lca.Dictionary(found["dictionaries"][t], (1,) + found["residuals"][t].shape, 2)
    a = found["codes"][t]
    return sets.products(a, sets.geometry.patches(found["residuals"][t])), sets.counts(a, count)


def a_period_is_divided_once_by_its_count():
    for count in ("elements", "activations", "per_weight"):
        _, found = applied(4, sync_every=2, count=count)
        sums = [products_of(found, t, count) for t in range(4)]
        for t in (1, 3):
            total, divisor = (sums[t - 1][n] + sums[t][n] for n in (0, 1))
            near(found["updates"][t], 0.1 * total / np.where(divisor == 0, 1, divisor))
    # Where nothing changes between, a longer period makes a step of the same length.
    frames, atoms = small_case(13, steps=1)
    usual = FIXED | {"stride": 2, "learn": True, "start": "rest"}
    once = lca.solve(usual, frames, atoms)
    twice = lca.solve(usual | {"sync_every": 2}, np.concatenate([frames, frames]), atoms)
    near(twice["updates"][1], once["updates"][0])


def a_late_sum_is_that_of_the_period_before():
    _, found = applied(6, late=True, sync_every=2)
    for t in (3, 5):
        wanted = sum(products_of(found, s, "elements")[0] for s in (t - 3, t - 2)) / 6
        near(found["updates"][t], 0.1 * wanted)


def momentum_and_decay_are_as_written():
    for method, constant, f in [("none", None, 0.0), ("viscosity", 3.0, math.exp(-1 / 3)),
                                ("viscosity", None, math.exp(-0.01)), ("simple", None, 0.25),
                                ("alex", None, 0.9), ("alex", 0.5, 0.5)]:
        given = {"momentum_method": method, "weight_decay": 0.01, "update_period": 2}
        if constant is not None:
            given["momentum_constant"] = constant
        for unit_length in (True, False):
            changed, found = applied(5, unit_length=unit_length, **given)
            assert changed == [1, 3, 5]
            before = 0.0
            for t in (0, 2, 4):
                w = found["dictionaries"][t]
                decay = 0.01 * (0.1 if method == "alex" else 1)
                before = (1 - f) * 0.1 * products_of(found, t, "elements")[0] / 3 + f * before - decay * w
                near(found["updates"][t], before)
                near(found["dictionaries"][t + 1], unit(w + before) if unit_length else w + before)


def learning_makes_pictures_cheaper():
    frames, atoms = small_case(14, steps=1)
    found = lca.solve({"threshold": 0.2, "tau": 5.0, "iterations": 60, "stride": 2, "learn": True, "rate": 0.05,
                       "start": "rest"}, np.repeat(frames, 30, axis=0), atoms)
    energies = found["energies"][:, -1].sum(axis=1)
    assert np.all(np.diff(energies) < 0), energies


# ---- what is refused, and the files

def what_makes_no_sense_is_refused_by_name():
    refused("alpha, zeta", {"zeta": 1, "alpha": 2})
    refused("shift", {"shift": 0.5})
    refused("momentum_rate", {"momentum_rate": 0.5})
    refused("knee_slope", {"step_rule": "basic", "knee_slope": 0.5})
    refused("log_threshold, log_slope", {"step_rule": "log"})
    refused("log_slope", {"step_rule": "log", "log_threshold": 3.0, "log_slope": 1.0})
    refused("soft", {"variant": "ista", "transfer": "hard"})
    refused("maximum", {"transfer": "general", "maximum": 0.5})
    refused("falls", {"transfer": "general", "shift": 1.5})
    refused("two_sided", {"transfer": "general", "minimum": -0.5, "two_sided": True})
    refused("iterations", {"iterations": 0})
    refused("transfer", {"transfer": "softest"})
    refused("late", {"late": 1})
    refused("even", {"stride": 1})
    refused("multiple", {}, frames=np.ones((1, 1, 1, 4, 5)))
    refused("(2, 1, 2, 2)", {}, dictionary=np.ones((2, 3, 2, 2)))
    refused("elements", {"elements": 2})
    refused("begins", {}, begins=np.ones((2, 1)))
    refused("rest_value", {"rest_value": 1.0}, potential=np.ones((1, 2, 2, 2)))


def a_folder_is_read_and_written():
    script = pathlib.Path(__file__).with_name("lca.py")
    frames, atoms = small_case(15)
    given = ADAPTIVE | {"stride": 2, "learn": True, "elements": 3, "steps": 3}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        np.save(folder / "frames.npy", frames.astype(np.float32))
        np.save(folder / "dictionary.npy", atoms)
        (folder / "case.json").write_text(json.dumps(given))
        subprocess.run([sys.executable, script, folder], check=True)
        wanted = lca.solve(given, frames.astype(np.float32), atoms)
        for key in lca.SOUGHT:
            found = np.load(folder / f"{key}.npy")
            assert found.dtype == np.float64
            near(found, wanted[key], 0)
        (folder / "case.json").write_text(json.dumps(given | {"foo": 1}))
        failed = subprocess.run([sys.executable, script, folder], capture_output=True, text=True)
        assert failed.returncode == 1 and "unknown: foo" in failed.stderr, failed


CHECKS = [
    drive_is_what_its_loops_say, reconstruction_is_the_adjoint_of_the_drive, sets_that_are_equal_are_one_set,
    cost_is_the_integral_of_what_the_inverse_exceeds, two_sided_is_odd_and_its_cost_even,
    named_transfers_are_general_ones, general_is_cut_at_its_maximum, the_threshold_itself_passes,
    basic_rule_is_as_computed_by_hand, knee_rule_is_as_computed_by_hand, log_rule_is_as_computed_by_hand,
    each_element_has_its_own_step_and_each_frame_begins_again, rounds_are_as_computed_with_plain_numbers,
    rest_and_begins_start_again_and_warm_does_not, potential_of_a_file_is_rest, a_silent_picture_has_no_ratio,
    lasso_of_an_orthonormal_dictionary_is_reached, the_conditions_of_the_lasso_hold_where_it_comes_to_rest,
    energy_never_rises_with_a_small_step, a_batch_is_its_elements_one_by_one,
    dw_is_the_products_divided_by_the_count, silent_atoms_are_left_alone, updates_and_syncs_are_counted_from_one,
    a_period_is_divided_once_by_its_count, a_late_sum_is_that_of_the_period_before, momentum_and_decay_are_as_written,
    learning_makes_pictures_cheaper, what_makes_no_sense_is_refused_by_name, a_folder_is_read_and_written,
]

if __name__ == "__main__":
    for check in CHECKS:
        check()
        print("ok", check.__name__)
