#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch's training step of a design: one process, one JSON line.

    step.py DESIGN --record FOLDER --threads 1 [--steps 20] [--warmup 3]

FOLDER holds what `weft bench DESIGN --record FOLDER` wrote: weights and a batch.
"""
import argparse
import json
import os
import pathlib
import resource
import time


def timed(step, warmup, steps):
    for _ in range(warmup):
        step()
    times = []
    for _ in range(steps):
        begin = time.perf_counter()
        step()
        times.append((time.perf_counter() - begin) * 1e3)
    return sorted(times)


def training_step(design, weights, feeds, layout):
    import torch

    import torch_network
    network = torch_network.Network(design, torch_network.parameters_only(weights)).train()
    if layout == "nhwc":
        network = network.to(memory_format=torch.channels_last)
        feeds = {name: x.contiguous(memory_format=torch.channels_last) if x.dim() == 4 else x
                 for name, x in feeds.items()}
    optimizer = torch_network.optimizer_for(network, design["training"], True)
    for group in optimizer.param_groups:
        group["lr"] = design["training"].get("learning_rate", 0.01)

    def step():
        optimizer.zero_grad(set_to_none=True)
        network(feeds).backward()
        optimizer.step()

    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("design", type=pathlib.Path)
    parser.add_argument("--record", type=pathlib.Path, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--layout", choices=["nchw", "nhwc"], default="nhwc", help="of pictures")
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    import torch  # after the number of threads is set

    import torch_network
    import weft_design
    torch.set_num_threads(arguments.threads)
    design = weft_design.load(arguments.design)
    weights = weft_design.tensors(arguments.record / "weights.safetensors")
    data = weft_design.tensors(arguments.record / "data.safetensors")
    feeds = torch_network.feeds_of(design, data, 0, design["data"]["batch"])
    if any(layer["kind"] == "lca" for layer in design["layers"]):
        step = torch_network.SparseCoding(design, torch_network.parameters_only(weights), feeds).step
    else:
        step = training_step(design, weights, feeds, arguments.layout)
    times = timed(step, arguments.warmup, arguments.steps)
    print(json.dumps({"bench": "step", "peer": "pytorch", "version": torch.__version__,
                      "design": design.get("name", ""), "batch": design["data"]["batch"],
                      "threads": arguments.threads, "layout": arguments.layout, "steps": len(times),
                      "median_ms": times[len(times) // 2], "fastest_ms": times[0],
                      "resident_mib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))


if __name__ == "__main__":
    main()
