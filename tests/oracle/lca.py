#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sparse coding by locally competitive neurons in plain numpy, in float64: obviously right, not fast.

    python3 lca.py FOLDER

FOLDER holds case.json and, as .npy in C order, float32 or float64:
  frames      [steps, batch, channels, height, width]
  dictionary  [atoms, channels, patch height, patch width], before which come [batch] where each
              element has a set of its own, [y, x] where each position has, or [batch, y, x]
  potential   the potentials at rest instead of rest_value: [batch, atoms, y, x], or what broadcasts
  begins      [steps, batch], 1 where an element's film begins anew; may be absent
The keys of case.json, in SCHEMA below, are checked: one that is unknown or has no role is an error.
Results are written there as .npy, in float64; SOUGHT below names them.
"""
import json
import math
import pathlib
import sys

import numpy as np

sys.dont_write_bytecode = True  # because the sources' folder is to stay as it is
from transfer import CaseError, transfer_of

REQUIRED = object()
SCHEMA = {  # key: what it is, what it is where it is absent
    "elements": ("count", None),  # per batch, as in frames.npy
    "steps": ("count", None),  # pictures that each element is shown; as frames.npy has them
    "iterations": ("count", REQUIRED),  # rounds for each picture
    "stride": ("count", 1),
    # the neurons
    "variant": (("lca", "momentum", "ista"), "lca"),
    "momentum_rate": ("number", 0.0),  # variant momentum
    "self_interaction": ("switch", True),  # not ista
    "tau": ("number", 1.0),
    "start": (("warm", "rest"), "warm"),
    "rest_value": ("number", 0.0),
    "energy": (("fresh", "lagged"), "fresh"),
    # the step in time
    "step_rule": (("fixed", "basic", "knee", "log"), "fixed"),
    "step": ("number", 1.0),  # fixed
    "base_minimum": ("number", 1.0),  # the other three
    "base_maximum": ("number", 1.0),
    "tau_factor": ("number", 1.0),
    "growth_factor": ("number", 1.0),
    "knee_threshold": ("number", 1.0),  # knee
    "knee_slope": ("number", 1.0),
    "log_threshold": ("number", None),  # log, and there required
    "log_slope": ("number", None),
    # from potential to code
    "transfer": (("hard", "soft", "firm", "general", "points"), "soft"),
    "threshold": ("number", None),  # required, but with points without a role
    "shift": ("number", 0.0),  # general
    "width": ("number", 0.0),  # firm, general
    "minimum": ("number", 0.0),  # general; points: where the cost's integral begins
    "maximum": ("number", math.inf),  # general
    "vertices_v": ("numbers", None),  # points, and there required, all four
    "vertices_a": ("numbers", None),
    "slope_below": ("number", None),
    "slope_above": ("number", None),
    "two_sided": ("switch", False),
    # learning
    "learn": ("switch", False),
    "rate": ("number", 1.0),
    "first_update": ("count", 1),
    "update_period": ("count", 1),
    "sync_every": ("count", 1),
    "late": ("switch", False),
    "count": (("elements", "positions", "activations", "per_weight"), "elements"),
    "momentum_method": (("none", "viscosity", "simple", "alex"), "none"),
    "momentum_constant": ("number", None),  # 100, 0.25, 0.9
    "weight_decay": ("number", 0.0),
    "unit_length": ("switch", True),
}
SOUGHT = {
    "potentials": "[steps, batch, atoms, y, x], after the last round, as the next three",
    "codes": "[steps, batch, atoms, y, x]",
    "residuals": "[steps, batch, channels, height, width], of that code, before the update",
    "reconstructions": "[steps, batch, channels, height, width], likewise",
    "energies": "[steps, iterations, batch], after each round",
    "step_sizes": "[steps, iterations, batch], used in each round",
    "dictionaries": "[steps + 1, ...], before the first step and after each",
    "updates": "[steps, ...], dW as added at the end of each step, before the norm; else 0",
    "signal_to_noise": "[steps, batch], dB; not a number where the input or residual is 0",
    "sparsity": "[steps, batch], the share of zeros in the code",
}


def checked(key, value):
    kind = SCHEMA[key][0]
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if isinstance(kind, tuple):
        fits, wanted = value in kind, "one of " + ", ".join(kind)
    elif kind == "switch":
        fits, wanted = isinstance(value, bool), "true or false"
    elif kind == "count":
        fits, wanted = is_number and isinstance(value, int) and value >= 1, "a whole number from 1"
    elif kind == "number":
        fits, wanted = is_number and not math.isnan(value), "a number"
    else:
        fits = isinstance(value, list) and all(isinstance(x, (int, float)) for x in value)
        wanted = "a list of numbers"
    if not fits:
        raise CaseError(f"{key} is {value!r}; it is to be {wanted}")
    return value


def completed(given):
    """The case with every key of SCHEMA."""
    unknown = sorted(set(given) - set(SCHEMA))
    if unknown:
        raise CaseError("unknown: " + ", ".join(unknown))
    case = {key: default for key, (_, default) in SCHEMA.items()}
    case.update({key: checked(key, value) for key, value in given.items()})
    roles = {  # keys that matter only with some value of another key
        ("momentum_rate",): case["variant"] == "momentum",
        ("self_interaction",): case["variant"] != "ista",
        ("step",): case["step_rule"] == "fixed",
        ("base_minimum", "base_maximum", "tau_factor", "growth_factor"): case["step_rule"] != "fixed",
        ("knee_threshold", "knee_slope"): case["step_rule"] == "knee",
        ("log_threshold", "log_slope"): case["step_rule"] == "log",
        ("threshold",): case["transfer"] != "points",
        ("width",): case["transfer"] in ("firm", "general"),
        ("shift", "maximum"): case["transfer"] == "general",
        ("minimum",): case["transfer"] in ("general", "points"),
        ("vertices_v", "vertices_a", "slope_below", "slope_above"): case["transfer"] == "points",
        ("momentum_constant",): case["momentum_method"] != "none",
    }
    for keys, has_role in roles.items():
        idle = [key for key in keys if key in given and not has_role]
        if idle:
            raise CaseError(", ".join(idle) + " has no role with the rest of this case: leave it out")
        missing = [key for key in keys if has_role and case[key] is None]
        if missing and missing != ["momentum_constant"]:
            raise CaseError("missing: " + ", ".join(missing))
    if case["iterations"] is REQUIRED:
        raise CaseError("missing: iterations")
    if case["variant"] == "ista" and case["transfer"] != "soft":
        raise CaseError("variant ista goes with transfer soft only")
    if case["momentum_constant"] is None:
        of_method = {"viscosity": 100.0, "simple": 0.25, "alex": 0.9}
        case["momentum_constant"] = of_method.get(case["momentum_method"])
    for key in ["tau"] + ["momentum_constant"] * (case["momentum_method"] == "viscosity"):
        if case[key] <= 0:
            raise CaseError(f"{key} is to be above 0")
    return case


# ---- patches and pictures
class Geometry:
    """Which taps of which pixels each position sees. The border is padded with zeros."""

    def __init__(self, picture, patch, stride):
        self.picture, self.patch, self.stride = picture, patch, stride
        for size, tap in zip(picture, patch):
            if tap < stride or (tap - stride) % 2:
                raise CaseError(f"patch {tap} - stride {stride} is to be even and not below 0")
            if size % stride:
                raise CaseError(f"picture {size} is to be a multiple of stride {stride}")
        self.padding = tuple((tap - stride) // 2 for tap in patch)
        self.positions = tuple(size // stride for size in picture)

    def patches(self, picture):
        """[b, c, h, w] -> [b, y, x, c, i, j]: what position y x sees at its tap i j."""
        (p, q), s = self.padding, self.stride
        padded = np.pad(picture, ((0, 0), (0, 0), (p, p), (q, q)))
        windows = np.lib.stride_tricks.sliding_window_view(padded, self.patch, axis=(2, 3))
        return windows[:, :, ::s, ::s].transpose(0, 2, 3, 1, 4, 5)

    def pictures(self, patches):
        """The transpose of patches(): each tap is added to the pixel that it sees."""
        (p, q), s, (ny, nx), (h, w) = self.padding, self.stride, self.positions, self.picture
        batch, channels = patches.shape[0], patches.shape[3]
        padded = np.zeros((batch, channels, h + 2 * p, w + 2 * q))
        for i in range(self.patch[0]):
            for j in range(self.patch[1]):
                taps = patches[:, :, :, :, i, j].transpose(0, 3, 1, 2)
                padded[:, :, i:i + s * ny:s, j:j + s * nx:s] += taps
        return padded[:, :, p:p + h, q:q + w]


class Dictionary:
    """The atoms: one set for all, or one for each element, position, or both."""

    def __init__(self, atoms, frames_shape, stride):
        if atoms.ndim not in (4, 5, 6, 7):
            raise CaseError(f"dictionary.npy has {atoms.ndim} dims; it is to have 4 to 7")
        batch, channels, height, width = frames_shape[1:]
        self.w = np.array(atoms, dtype=np.float64)
        self.per_element, self.per_position = atoms.ndim in (5, 7), atoms.ndim in (6, 7)
        self.atoms = atoms.shape[-4]
        self.geometry = Geometry((height, width), atoms.shape[-2:], stride)
        lead = (batch,) * self.per_element + self.geometry.positions * self.per_position
        if atoms.shape[:-4] != lead or atoms.shape[-3] != channels:
            raise CaseError(f"dictionary.npy is {atoms.shape}; frames.npy wants "
                            f"{lead + (self.atoms, channels) + self.geometry.patch}")

    def matrices(self):
        """[b or 1, y or 1, x or 1, atoms, taps]"""
        w = self.w if self.per_element else self.w[np.newaxis]
        if not self.per_position:
            w = w[:, np.newaxis, np.newaxis]
        return w.reshape(w.shape[:4] + (-1,))

    def drive(self, residual):
        """Correlation of the residual with each atom: [b, atoms, y, x]."""
        patches = self.geometry.patches(residual)
        rows = patches.reshape(patches.shape[:3] + (1, -1))
        return (rows @ self.matrices().swapaxes(-1, -2))[..., 0, :].transpose(0, 3, 1, 2)

    def reconstruction(self, code):
        """The transpose of drive(): [b, channels, height, width]."""
        taps = (code.transpose(0, 2, 3, 1)[..., np.newaxis, :] @ self.matrices())[..., 0, :]
        return self.geometry.pictures(taps.reshape(taps.shape[:3] + self.w.shape[-3:]))

    def products(self, code, patches):
        """Sum of code times tap over the elements and positions that share a set."""
        kept = "b" * self.per_element + "yx" * self.per_position
        return np.einsum(f"bkyx,byxcij->{kept}kcij", code, patches, optimize=True)

    def counts(self, code, kind):
        """Returns the divisor of a sum of products: a number, per atom or per weight, as it broadcasts."""
        elements = 1 if self.per_element else code.shape[0]
        positions = 1 if self.per_position else code.shape[2] * code.shape[3]
        active = (code != 0).astype(np.float64)
        if kind == "elements":
            return float(elements)
        if kind == "positions":
            return float(elements * positions)
        if kind == "activations":
            kept = "b" * self.per_element + "yx" * self.per_position
            return np.einsum(f"bkyx->{kept}k", active)[..., np.newaxis, np.newaxis, np.newaxis]
        inside = np.ones((code.shape[0], self.w.shape[-3]) + self.geometry.picture)
        return self.products(active, self.geometry.patches(inside))

    def normalise(self):
        """Every atom gets length 1, the taps beyond the border counted; one of length 0 stays."""
        length = np.sqrt(np.sum(self.w ** 2, axis=(-3, -2, -1), keepdims=True))
        self.w = self.w / np.where(length > 0, length, 1.0)


# ---- the step in time
class StepRule:
    """The step of one element. begin() for each new frame, then advance() between two rounds."""

    def __init__(self, case):
        self.rule = case["step_rule"]
        self.case = case
        if self.rule == "log":
            threshold, slope = case["log_threshold"], case["log_slope"]
            if slope <= 0 or slope == 1 or threshold == case["base_maximum"]:
                raise CaseError("log_slope is to be above 0 and not 1, log_threshold not base_maximum")
            self.length = -(threshold - case["base_maximum"]) / math.log(slope)
        self.begin()

    def begin(self):
        self.energy = None
        self.reset()

    def reset(self):
        self.step = self.case["step" if self.rule == "fixed" else "base_minimum"]
        self.cap = self.case["base_maximum"]

    def growth(self):
        growth = self.case["growth_factor"]
        if self.rule == "log":
            growth *= float(np.exp(-(self.cap - self.case["base_maximum"]) / self.length))
        return growth

    def advance(self, energy):
        """`energy` is that after the round just done."""
        before, self.energy = self.energy, energy
        if self.rule == "fixed" or before is None:  # the second round runs at base_minimum too
            return
        old = self.cap
        if energy == before:
            pass
        elif energy > before or energy <= 0 or before <= 0:
            self.reset()
        else:
            self.step = self.case["tau_factor"] * before * self.step / (before - energy)
            if self.step >= self.cap:
                self.step = self.cap
                self.cap *= 1 + self.growth()
        if self.rule == "knee" and self.cap > self.case["knee_threshold"]:
            self.cap = old + (self.cap - old) * self.case["knee_slope"]
            self.step = min(self.step, self.cap)


# ---- the neurons
class Neurons:
    """The state of all elements, and one round of it."""

    def __init__(self, case, dictionary, rest):
        self.case, self.dictionary = case, dictionary
        self.transfer = transfer_of(case)
        self.rest = rest
        self.rules = [StepRule(case) for _ in range(rest.shape[0])]
        self.v, self.a, self.before = rest.copy(), self.transfer.code(rest), np.zeros_like(rest)

    def begin(self, is_anew):
        """A new frame; where is_anew, [batch], nothing of the one before is kept."""
        for rule in self.rules:
            rule.begin()
        self.v[is_anew] = self.rest[is_anew]
        self.before[is_anew] = 0.0
        self.a = np.where(is_anew[:, None, None, None], self.transfer.code(self.v), self.a)

    def residual(self, x):
        return x - self.dictionary.reconstruction(self.a)

    def round(self, x):
        """Returns the steps used and the energy after it, of each element."""
        case = self.case
        steps = np.array([rule.step for rule in self.rules])
        residual = self.residual(x)
        g = self.dictionary.drive(residual)
        ratio = (steps / case["tau"])[:, None, None, None]
        if case["variant"] == "ista":
            self.v = self.v + ratio * (g - case["threshold"] * np.sign(self.a))
        else:
            e = np.exp(-ratio)
            drive = (1 - e) * (g + self.a * (1.0 if case["self_interaction"] else 0.0))
            self.v = e * self.v + drive + case["momentum_rate"] * self.before
            self.before = drive
        self.a = self.transfer.code(self.v)
        if case["energy"] == "fresh":
            residual = self.residual(x)
        energy = 0.5 * np.sum(residual ** 2, axis=(1, 2, 3))
        energy = energy + np.sum(self.transfer.cost(self.a), axis=(1, 2, 3))
        for rule, value in zip(self.rules, energy):
            rule.advance(float(value))
        return steps, energy


# ---- learning
class Learning:
    """When the dictionary changes, and by what."""

    def __init__(self, case, dictionary):
        self.case, self.dictionary = case, dictionary
        self.updates, self.pending = 0, None
        self.total, self.count = 0.0, 0.0
        self.previous = np.zeros_like(dictionary.w)

    def after(self, step, code, residual):
        """After step `step`, from 1: returns the dW that was added, 0 where none was."""
        case = self.case
        nothing = np.zeros_like(self.dictionary.w)
        since = step - case["first_update"]
        if not case["learn"] or since < 0 or since % case["update_period"]:
            return nothing
        self.updates += 1
        patches = self.dictionary.geometry.patches(residual)
        self.total = self.total + self.dictionary.products(code, patches)
        self.count = self.count + self.dictionary.counts(code, case["count"])
        if self.updates % case["sync_every"]:
            return nothing
        ready = (self.total, self.count)
        self.total, self.count = 0.0, 0.0
        if case["late"]:
            ready, self.pending = self.pending, ready
        return nothing if ready is None else self.apply(*ready)

    def apply(self, total, count):
        case = self.case
        count = np.broadcast_to(count, total.shape)
        mean = np.where(count > 0, total / np.where(count > 0, count, 1.0), 0.0)
        method, f, decay = case["momentum_method"], case["momentum_constant"], case["weight_decay"]
        if method == "none":
            f = 0.0
        elif method == "viscosity":
            f = math.exp(-1 / f)
        elif method == "alex":
            decay *= case["rate"]
        dw = (1 - f) * case["rate"] * mean + f * self.previous - decay * self.dictionary.w
        self.previous = dw
        self.dictionary.w = self.dictionary.w + dw
        if case["unit_length"]:
            self.dictionary.normalise()
        return dw


# ---- a case from end to end
def signal_to_noise(x, residual):
    signal, noise = np.sum(x ** 2, axis=(1, 2, 3)), np.sum(residual ** 2, axis=(1, 2, 3))
    is_there = (signal > 0) & (noise > 0)
    ratio = np.where(is_there, signal, 1.0) / np.where(is_there, noise, 1.0)
    return np.where(is_there, 10 * np.log10(ratio), np.nan)


def solve(given, frames, dictionary, potential=None, begins=None):
    """All that SOUGHT names, of the case `given` and the arrays that go with it."""
    case = completed(given)
    if frames.ndim != 5:
        raise CaseError(f"frames.npy has {frames.ndim} dims; it is to have 5")
    frames = frames.astype(np.float64)
    steps, batch = frames.shape[:2]
    for key, size in (("steps", steps), ("elements", batch)):
        if case[key] not in (None, size):
            raise CaseError(f"{key} is {case[key]}; frames.npy has {size}")
    sets = Dictionary(dictionary, frames.shape, case["stride"])
    if potential is not None and "rest_value" in given:
        raise CaseError("potential.npy and rest_value say the same: leave one out")
    rest = np.float64(case["rest_value"]) if potential is None else potential.astype(np.float64)
    begins = np.zeros((steps, batch)) if begins is None else begins
    if begins.shape != (steps, batch):
        raise CaseError(f"begins.npy is {begins.shape}; frames.npy wants {(steps, batch)}")
    shape = (batch, sets.atoms) + sets.geometry.positions
    try:
        rest = np.broadcast_to(rest, shape).copy()
    except ValueError:
        raise CaseError(f"potential.npy is {rest.shape}; it is to be {shape}") from None
    neurons, learning = Neurons(case, sets, rest), Learning(case, sets)

    found = {name: [] for name in SOUGHT}
    found["dictionaries"].append(sets.w)
    for t, x in enumerate(frames):
        neurons.begin((begins[t] != 0) | (case["start"] == "rest") | (t == 0))
        rounds = [neurons.round(x) for _ in range(case["iterations"])]
        reconstruction = sets.reconstruction(neurons.a)
        residual = x - reconstruction
        found["step_sizes"].append([used for used, _ in rounds])
        found["energies"].append([energy for _, energy in rounds])
        found["potentials"].append(neurons.v.copy())
        found["codes"].append(neurons.a)
        found["residuals"].append(residual)
        found["reconstructions"].append(reconstruction)
        found["signal_to_noise"].append(signal_to_noise(x, residual))
        found["sparsity"].append(np.mean(neurons.a == 0, axis=(1, 2, 3)))
        found["updates"].append(learning.after(t + 1, neurons.a, residual))
        found["dictionaries"].append(sets.w)
    return {name: np.array(values, dtype=np.float64) for name, values in found.items()}


def array_of(path, needed):
    if not path.exists():
        if needed:
            raise CaseError(f"{path.name} is not there")
        return None
    array = np.load(path, allow_pickle=False)
    if array.dtype not in (np.float32, np.float64):
        raise CaseError(f"{path.name} is {array.dtype}; it is to be float32 or float64")
    return array


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    try:
        given = json.loads((folder / "case.json").read_text())
        names = {"frames": True, "dictionary": True, "potential": False, "begins": False}
        arrays = {name: array_of(folder / f"{name}.npy", needed) for name, needed in names.items()}
        results = solve(given, **arrays)
    except (CaseError, OSError, ValueError) as error:
        sys.exit(f"{folder}: {error}")
    for name, values in results.items():
        np.save(folder / f"{name}.npy", values)


if __name__ == "__main__":
    main()
