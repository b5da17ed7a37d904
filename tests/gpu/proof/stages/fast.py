# SPDX-License-Identifier: Apache-2.0
"""How long does a step take, beside PyTorch's on the same device? In eight minutes, heaviest nets first."""
import csv
import json
import os
import pathlib
import select
import shutil
import subprocess
import sys
import time

from machine import Failed, Skipped, TookLonger, end, json_of, last_line
from right import facts

# Bench, batch and precisions: enlarged, so that a step has enough to compute.
LARGE = [("resnet18-cifar", 512), ("tiny-gpt", 64), ("alexnet-one-weird-trick", 256), ("googlenet", 128)]
PRECISIONS = ["bf16", "tf32", "exact"]
SMALL = ["lenet-mnist", "cifar-quick", "mlp", "two-tower-fusion", "lca"]
COUNTERS = {"gpu__time_duration.sum": "ns", "sm__throughput.avg.pct_of_peak_sustained_elapsed": "sm_percent",
            "dram__throughput.avg.pct_of_peak_sustained_elapsed": "memory_percent",
            "sm__warps_active.avg.pct_of_peak_sustained_active": "warps_percent",
            "smsp__inst_executed.sum": "instructions", "launch__registers_per_thread": "registers"}


class Peer:
    """One process of PyTorch's, that is given one design after the other."""

    def __init__(self, machine):
        self.machine, self.process = machine, None
        self.why_not = "the device stands in for a GPU" if not machine.is_gpu else self.lacks()

    @staticmethod
    def lacks():
        asked = subprocess.run([sys.executable, "-c", "import torch; assert torch.cuda.is_available()"],
                               capture_output=True, text=True)
        return "" if asked.returncode == 0 else "no PyTorch with a GPU: " + last_line(asked.stderr)

    def started(self):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [sys.executable, "peers/step.py", "--serve", "--device", "cuda" if self.machine.is_gpu else "cpu"],
                cwd=self.machine.folder, env=self.machine.others, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=self.machine.log, start_new_session=True)
        return self.process

    def lines(self, job, until):
        """A line for each way in which it ran the design."""
        process, text, lines = self.started(), b"", []
        process.stdin.write((json.dumps(job) + "\n").encode())
        process.stdin.flush()
        while time.monotonic() < until:
            if not select.select([process.stdout], [], [], max(0, until - time.monotonic()))[0]:
                break
            if not (read := os.read(process.stdout.fileno(), 1 << 16)):
                raise Failed("PyTorch's process ended")
            text += read
            *whole, text = text.split(b"\n")
            for line in map(json.loads, whole):
                if line.get("end"):
                    return lines
                lines.append(line)
                self.machine.log.write(json.dumps(line) + "\n")
        self.close()  # no need to wait for it
        if lines:
            return lines
        raise TookLonger("PyTorch took longer than was left")

    def close(self):
        if self.process is not None:
            end(self.process)
            self.process = None


def enlarged(machine, name, batch, precision):
    """The design with another batch, in another precision."""
    design = json.loads(machine.design(name + "/bench.weft").read_text())
    design["training"]["precision"] = precision
    design["data"]["batch"] = batch
    design["data"]["source"]["with"]["count"] = batch
    path = machine.design("%s/bench-%d-%s.weft" % (name, batch, precision))
    path.write_text(json.dumps(design))
    return str(path.relative_to(machine.folder / "projects"))


def designs_of(machine):
    """By file, the ways in which PyTorch runs it."""
    large = {enlarged(machine, name, batch, precision): ["graph"] for name, batch in LARGE for precision in PRECISIONS}
    small = {name + "/bench.weft": ["graph", "eager"] for name in SMALL}
    return {**large, **small} if machine.is_gpu else {smallest(machine): ["eager"]}


def smallest(machine):
    """Returns a small design that the emulated chip computes quickly."""
    return enlarged(machine, "lenet-mnist", 1, "exact")


def device(proof):
    facts(proof, "device")
    proof.prove("device")
    proof.prove("device", of="streams")


def taken(proof, design, *more):
    """Returns the output of weft bench."""
    steps, warmup = (30, 5) if proof.machine.is_gpu else (1, 0)
    return json_of(proof.machine.weft("bench", proof.machine.design(design), "--devices", proof.machine.device,
                                      "--steps", steps, "--warmup", warmup, *more, seconds=proof.left()))


def benches(proof):
    """Each design by Weft, then by PyTorch from the same weights and the same batch."""
    machine = proof.machine
    proof.peer = Peer(machine)
    if proof.peer.why_not:
        proof.tell("benches", "PyTorch", "skipped", proof.peer.why_not)
    with open(proof.out / "ops.jsonl", "w", encoding="utf-8") as ops:
        def timed(design, modes):
            record = machine.folder / "record"
            shutil.rmtree(record, ignore_errors=True)
            line = taken(proof, design, "--ops", "--record", record)
            ops.write(json.dumps({"file": design, **line}) + "\n")
            ops.flush()
            proof.ops[design] = line.get("ops", [])
            figures = {"batch": line["batch"], "weft_ms": round(line["median_ms"], 3),
                       "fastest_ms": round(line["fastest_ms"], 3), **predicted(design)}
            if proof.peer.why_not:
                return figures
            job = {"design": str(machine.design(design)), "record": str(record), "modes": modes,
                   "layouts": layouts_of(machine.design(design)), "steps": 30, "warmup": 5}
            return {**figures, **beside(proof.peer.lines(job, time.monotonic() + proof.left()), figures["weft_ms"])}

        def predicted(design):
            planned = json_of(machine.weft("plan", machine.design(design), "--devices", machine.device, "--estimate",
                                           "--json", seconds=proof.left()))
            return {"predicted_ms": round(planned["step_nanoseconds"] * 1e-6, 3)}

        for design, modes in designs_of(machine).items():
            proof.case("benches", design, lambda: timed(design, modes))


def beside(lines, mine):
    """PyTorch's times by mode and layout, and Weft's over the fastest."""
    waited = {"%s %s" % (line["mode"], line["layout"]): round(line["median_ms"], 3) for line in lines
              if "median_ms" in line}
    failed = {"%s %s" % (line["mode"], line["layout"]): line["failed"] for line in lines if "failed" in line}
    made = {"peer_ms": waited} if waited else {}
    if waited:
        made["ratio"] = round(mine / min(waited.values()), 3)
    return {**made, **({"failed": failed} if failed else {})}


def layouts_of(path):
    design = json.loads(path.read_text())
    has_pictures = any(layer["kind"] == "conv2d" for part in [design, *design.get("groups", [])]
                       for layer in part["layers"])
    return ["nhwc", "nchw"] if has_pictures else ["nchw"]


def choice(proof):
    """Is what was chosen without a word as fast as the fastest of all ways, each measured?"""
    machine = proof.machine
    before = {line["case"]: line["figures"]["weft_ms"] for line in proof.lines
              if line["stage"] == "benches" and "weft_ms" in line.get("figures", {})}

    def compared(design):
        if design not in before:
            raise Skipped("was not timed with the automatic choice")
        machine.weft("calibrate", "--plans", machine.design(design), "--devices", machine.device, seconds=proof.left())
        best = round(taken(proof, design)["median_ms"], 3)
        return {"automatic_ms": before[design], "exhaustive_ms": best, "ratio": round(before[design] / best, 3)}

    chosen = [enlarged(machine, name, batch, precision) for precision in PRECISIONS for name, batch in LARGE
              if name != "tiny-gpt"] + ["cifar-quick/bench.weft", "lenet-mnist/bench.weft"]
    if not machine.is_gpu:
        chosen = [smallest(machine)]
        machine.environment["WEFT_SIM_KERNELS"] = "cuda"  # only these plan by a library
    for design in chosen:
        proof.case("choice", design, lambda: compared(design))
    rates = machine.folder / "cache/weft/rates.json"
    if rates.exists():
        shutil.copy(rates, proof.out / "rates.json")


def heaviest(proof):
    """Own kernels by the time that ops take which may launch them, in all benches together: for each the
    bench in which it takes most."""
    own = proof.machine.about.get("kernels", {})
    times = {}
    for design, ops in proof.ops.items():
        for op in ops:
            if not op["kernel"].startswith("cuda"):
                continue
            programSet = max((word for word in own if op["op"].startswith(word)), key=len, default="")
            for kernel in own.get(programSet, []):
                known = times.setdefault(kernel, {})
                known[design] = known.get(design, 0) + op["ms"]
    ranked = sorted(times, key=lambda kernel: -sum(times[kernel].values()))
    return {kernel: max(times[kernel], key=times[kernel].get) for kernel in ranked}


def counters(proof):
    """Profiles the ten most expensive kernels of our own with ncu."""
    machine, most = proof.machine, 10
    places = [shutil.which("ncu"), *sorted(map(str, pathlib.Path("/usr/local").glob("cuda*/bin/ncu"))),
              *sorted(map(str, pathlib.Path("/opt/nvidia").glob("nsight-compute/*/ncu")))]
    found = next((place for place in places if place), None)
    kernels = heaviest(proof)
    if not machine.is_gpu or not found or not kernels:
        why = "the device stands in for a GPU" if not machine.is_gpu else "no ncu" if not found else \
            "no bench has told the times of its ops"
        proof.tell("counters", "the stage", "skipped", why)
        return

    def counted(kernel, design):
        command = [found, "--csv", "--kernel-name", "regex:" + kernel, "--launch-count", "3", "--metrics",
                   ",".join(COUNTERS), *machine.program("weft"), "bench", str(machine.design(design)), "--devices",
                   machine.device, "--steps", "1", "--warmup", "1"]
        said = machine.said(command, proof.left(), machine.environment)
        rows = csv.DictReader(line for line in said.splitlines() if line.startswith('"'))
        values = {COUNTERS[row["Metric Name"]]: float(row["Metric Value"].replace(",", "")) for row in rows
                  if row.get("Metric Name") in COUNTERS}
        if not values:
            raise Skipped("is not launched there: " + last_line(said))
        return {"in": design, **values}

    for kernel, design in kernels.items():
        if most > 0 and proof.case("counters", kernel, lambda: counted(kernel, design)):
            most -= 1


def compiled(proof):
    """The same by torch.compile, which takes long to begin."""
    machine = proof.machine
    if proof.peer.why_not:
        proof.tell("compiled", "the stage", "skipped", proof.peer.why_not)
        return

    def timed(design):
        record = machine.folder / "record"
        shutil.rmtree(record, ignore_errors=True)
        mine = taken(proof, design, "--record", record)
        job = {"design": str(machine.design(design)), "record": str(record), "modes": ["compile"],
               "layouts": layouts_of(machine.design(design))[:1], "steps": 20, "warmup": 3}
        return {"weft_ms": round(mine["median_ms"], 3),
                **beside(proof.peer.lines(job, time.monotonic() + proof.left()), mine["median_ms"])}

    for name, batch in LARGE:
        design = enlarged(machine, name, batch, "bf16")
        proof.case("compiled", design, lambda: timed(design))


# Stage: seconds, and what proves it.
STAGES = {"device": (15, device), "benches": (250, benches), "choice": (90, choice), "counters": (60, counters),
          "compiled": (65, compiled)}
SECONDS = 480
