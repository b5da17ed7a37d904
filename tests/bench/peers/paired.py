#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Weft's step time beside PyTorch's, in alternating runs on the same cores.

    paired.py --weft build/measure/app/weft/weft --python venv/bin/python projects/*/bench.weft
    paired.py --weft ... --python ... --device cuda:0 projects/*/bench.weft
    paired.py --weft ... --before OLDER/build/measure/app/weft/weft projects/*/bench.weft

Each round runs one and then the other, in turns of who comes first; the ratio is that of the
medians over all rounds, with the ratio of every pair beside it. Pictures lie in both layouts for
PyTorch and the faster counts. An allocator that keeps its pages is part of a fair peer: say
--preload libtcmalloc_minimal.so.4 where there is one, else glibc is told to keep them. Prints a
JSON line per design and number of threads.

With --device both train on that GPU: PyTorch in exact f32, by each of --modes, and the fastest counts
(step.py says what they are). With --before the peer is another build of Weft.
"""
import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def run(command, environment, timeout):
    """The JSON lines that it prints."""
    done = subprocess.run([str(part) for part in command], env=environment, capture_output=True,
                          text=True, timeout=timeout)
    if done.returncode != 0:
        raise RuntimeError("%s: %s" % (" ".join(map(str, command)), done.stderr.strip()))
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def pinned(threads):
    """The first cores this process may use: both programs get the same."""
    cores = sorted(os.sched_getaffinity(0))[:threads]
    return ["taskset", "-c", ",".join(map(str, cores))]


def peer_environment(arguments):
    environment = dict(os.environ, OMP_PROC_BIND="close", OMP_PLACES="cores")
    if arguments.preload:
        environment["LD_PRELOAD"] = arguments.preload
    else:
        environment["GLIBC_TUNABLES"] = ("glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=4294967296:"
                                         "glibc.malloc.trim_threshold=17179869184")
    return environment


def weft_step(arguments, design, threads, record=None, program=None):
    command = [program or arguments.weft, "bench", design, "--steps", arguments.steps, "--warmup", arguments.warmup]
    command = command + ["--devices", arguments.device] if arguments.device else \
        [*pinned(threads), *command, "--threads", threads]
    return run(command + (["--record", record] if record else []), dict(os.environ), arguments.timeout)[-1]


def torch_step(arguments, design, threads, record, layout):
    command = [*pinned(threads), arguments.python, HERE / "step.py", design, "--record", record, "--threads",
               threads, "--steps", arguments.steps, "--warmup", arguments.warmup, "--layouts", layout]
    return run(command, peer_environment(arguments), arguments.timeout)[-1]


def layouts_of(design):
    return ["nhwc", "nchw"] if has_pictures(design) else ["nchw"]


def has_pictures(design):
    return any(layer["kind"] == "conv2d" for network in [json.loads(design.read_text())]
               for part in [network] + network.get("groups", []) for layer in part["layers"])


def in_turns(rounds, mine, peer):
    """Returns the answers of both, which run one after the other and take turns at being first."""
    answers = {mine: [], peer: []}
    for round_ in range(rounds):
        for who in [mine, peer] if round_ % 2 == 0 else [peer, mine]:
            answers[who].append(who())
    return answers[mine], answers[peer]


def compared(arguments, design, threads):
    mine = lambda: weft_step(arguments, design, threads)
    if arguments.before:
        tell(arguments, threads, *in_turns(arguments.rounds, mine, lambda: weft_step(
            arguments, design, threads, program=arguments.before)),
            {"bench": "before", "peer": "weft, another build"})
        return
    with tempfile.TemporaryDirectory() as record:
        weft_step(arguments, design, threads, record)
        layouts = layouts_of(design)
        layout = min(layouts, key=lambda each: torch_step(arguments, design, threads, record, each)["median_ms"]) \
            if len(layouts) > 1 else layouts[0]
        mine, peers = in_turns(arguments.rounds, mine,
                               lambda: torch_step(arguments, design, threads, record, layout))
        tell(arguments, threads, mine, peers, {"peer": "pytorch " + peers[0]["version"], "layout": layout})


def tell(arguments, threads, mine, peers, peer):
    median = lambda runs: statistics.median(each["median_ms"] for each in runs)
    fastest = lambda runs: min(each["fastest_ms"] for each in runs)
    print(json.dumps({
        "bench": "paired", "date": datetime.date.today().isoformat(), "design": mine[0]["design"],
        "batch": mine[0]["batch"], "threads": threads, "rounds": arguments.rounds,
        "steps": arguments.steps, "machine": mine[0]["machine"], "weft": mine[0]["version"], **peer,
        "weft_ms": round(median(mine), 3), "peer_ms": round(median(peers), 3),
        "ratio": round(median(mine) / median(peers), 3),
        "ratio_fastest": round(fastest(mine) / fastest(peers), 3),
        "ratios": [round(a["median_ms"] / b["median_ms"], 3) for a, b in zip(mine, peers)],
        "load": round(os.getloadavg()[0], 1)}), flush=True)


def torch_on_gpu(arguments, design, record):
    """A line per mode and layout."""
    command = [arguments.python, HERE / "step.py", design, "--record", record, "--device", "cuda", "--steps",
               arguments.steps, "--warmup", arguments.warmup, "--modes", *arguments.modes, "--layouts",
               *layouts_of(design)]
    return run(command, dict(os.environ), arguments.timeout)


def compared_on_gpu(arguments, design):
    with tempfile.TemporaryDirectory() as record:
        mine, peers = [weft_step(arguments, design, 0, record)], []
        for _ in range(arguments.rounds):
            peers += torch_on_gpu(arguments, design, record)
            mine.append(weft_step(arguments, design, 0))
    ways, failed = {}, {}
    for each in peers:
        way = each["mode"] + " " + each["layout"]
        if "failed" in each:
            failed[way] = each["failed"]
        else:
            ways.setdefault(way, []).append(each)
    middle = lambda runs, key: round(statistics.median(each[key] for each in runs), 3)
    waited = {way: middle(runs, "median_ms") for way, runs in ways.items()}
    line = {"bench": "paired", "date": datetime.date.today().isoformat(), "design": mine[0]["design"],
            "batch": mine[0]["batch"], "device": arguments.device, "rounds": arguments.rounds,
            "steps": arguments.steps, "machine": peers[0]["machine"], "weft": mine[0]["version"],
            "peer": "pytorch " + peers[0]["version"], "weft_ms": middle(mine, "median_ms"), "peer_ms": waited,
            "peer_pipelined_ms": {way: middle(runs, "pipelined_ms") for way, runs in ways.items()}}
    if waited:
        line.update(fastest=min(waited, key=waited.get), ratio=round(line["weft_ms"] / min(waited.values()), 3))
    if failed:
        line["failed"] = failed
    print(json.dumps(line), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("designs", nargs="+", type=pathlib.Path)
    parser.add_argument("--weft", required=True, help="the program")
    peer = parser.add_mutually_exclusive_group(required=True)
    peer.add_argument("--python", help="an interpreter that has torch")
    peer.add_argument("--before", help="another build of the program")
    parser.add_argument("--device", default="", help="cuda:0: a GPU in place of cores")
    parser.add_argument("--modes", nargs="+", default=["eager", "graph"], help="of PyTorch there")
    parser.add_argument("--threads", nargs="*", type=int, default=[1, 2])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--steps", type=int, default=10)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--preload", default="", help="an allocator for PyTorch")
    parser.add_argument("--timeout", type=int, default=900, help="seconds for each run")
    arguments = parser.parse_args()
    for design in arguments.designs:
        if arguments.device:
            compared_on_gpu(arguments, design)
            continue
        for threads in arguments.threads:
            compared(arguments, design, threads)


if __name__ == "__main__":
    main()
