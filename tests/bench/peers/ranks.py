#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures the gain of a second rank of one core over one core.

    ranks.py --weft build/measure/app/weft/weft projects/resnet18-cifar/bench.weft

The same batch in all: one rank takes it whole, two take half each. Beside it what the machine lets
two cores gain at most: two programs that take half each and have nothing to say to each other.
Alternating runs; prints a JSON line per design.
"""
import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess


def run_together(commands, timeout):
    """Starts all of them at once and returns the slowest one's result."""
    begun = [subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
             for command in commands]
    said = []
    try:
        for command, process in zip(commands, begun):
            output, errors = process.communicate(timeout=timeout)
            if process.returncode != 0:
                raise RuntimeError("%s: %s" % (" ".join(map(str, command)), errors.strip()))
            said.append(json.loads([line for line in output.splitlines() if line.startswith("{")][-1]))
    finally:
        for process in begun:
            process.kill()
    return max(said, key=lambda each: each["median_ms"])


def run(command, timeout):
    return run_together([command], timeout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("designs", nargs="+", type=pathlib.Path)
    parser.add_argument("--weft", required=True, help="the program")
    parser.add_argument("--mpirun", default="mpirun --allow-run-as-root --bind-to core", help="how ranks are started")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=6)
    parser.add_argument("--timeout", type=int, default=900, help="seconds for each run")
    arguments = parser.parse_args()
    for design in arguments.designs:
        command = [arguments.weft, "bench", design, "--steps", arguments.steps, "--warmup", 2]
        one, two, apart = [], [], []
        cores = sorted(os.sched_getaffinity(0))[:2]
        for _ in range(arguments.rounds):
            one.append(run([*arguments.mpirun.split(), "-n", 1, *command, "--threads", 1], arguments.timeout))
            two.append(run([*arguments.mpirun.split(), "-n", 2, *command, "--threads", 2], arguments.timeout))
            half = [*command, "--threads", 1, "--set", "data.batch=%d" % (one[-1]["batch"] // 2)]
            apart.append(run_together([["taskset", "-c", core, *half] for core in cores], arguments.timeout))
        median = lambda runs: statistics.median(each["median_ms"] for each in runs)
        print(json.dumps({
            "bench": "ranks", "date": datetime.date.today().isoformat(), "design": one[0]["design"],
            "batch": one[0]["batch"], "machine": one[0]["machine"], "weft": one[0]["version"],
            "one_ms": round(median(one), 3), "two_ms": round(median(two), 3),
            "gain": round(median(one) / median(two), 3),
            "apart_ms": round(median(apart), 3), "most": round(median(one) / median(apart), 3),
            "gains": [round(a["median_ms"] / b["median_ms"], 3) for a, b in zip(one, two)],
            "load": round(os.getloadavg()[0], 1)}), flush=True)


if __name__ == "__main__":
    main()
