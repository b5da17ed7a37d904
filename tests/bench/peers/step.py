#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch's training step of a design: one process, a JSON line per way of running it.

    step.py DESIGN --record FOLDER --threads 1 [--steps 20] [--warmup 3]
    step.py DESIGN --record FOLDER --device cuda --modes eager graph --layouts nhwc nchw
    step.py --serve --device cuda < JOBS

FOLDER holds what `weft bench DESIGN --record FOLDER` wrote: weights and a batch. On a GPU products are
of the design's `training.precision` (bf16: by autocast), the batch goes there from pinned memory with
every step, and `median_ms` is that of steps whose end the host waits for, `pipelined_ms` of steps
enqueued behind each other. Modes: `eager`; `graph`, the step captured as one graph of CUDA; `compile`,
by torch.compile. One that fails is told with its reason.
"""
import argparse
import contextlib
import json
import os
import pathlib
import resource
import sys
import time


class Device:
    """Where tensors lie, and how the host waits."""

    def __init__(self, name, precision):
        import torch
        self.name = name
        self.is_gpu = name != "cpu"
        self.precision = precision
        if self.is_gpu:
            torch.backends.cuda.matmul.allow_tf32 = precision == "tf32"
            torch.backends.cudnn.allow_tf32 = precision == "tf32"
            torch.backends.cudnn.benchmark = True

    def rounding(self):
        """Within it products are in bf16 where the design says so."""
        import torch
        is_halved = self.is_gpu and self.precision == "bf16"
        return torch.autocast("cuda", torch.bfloat16) if is_halved else contextlib.nullcontext()

    def wait(self):
        import torch
        if self.is_gpu:
            torch.cuda.synchronize()

    def forget(self):
        """Frees the memory of the last way of running for the next."""
        import gc

        import torch
        gc.collect()
        if self.is_gpu:
            if "torch._dynamo" in sys.modules:
                sys.modules["torch._dynamo"].reset()
            torch.cuda.empty_cache()

    def model(self):
        import torch
        return torch.cuda.get_device_name() if self.is_gpu else ""

    def captured(self, step):
        """The step as one graph: what it launches, without the host's part in launching it."""
        import torch
        beside = torch.cuda.Stream()
        beside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(beside):
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(beside)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            step()
        return graph.replay


def timed(step, wait, warmup, steps):
    for _ in range(warmup):
        step()
    wait()
    times = []
    for _ in range(steps):
        begin = time.perf_counter()
        step()
        wait()
        times.append((time.perf_counter() - begin) * 1e3)
    return sorted(times)


def pipelined(step, wait, steps):
    """Milliseconds of a step, where the host waits for the last one only."""
    begin = time.perf_counter()
    for _ in range(steps):
        step()
    wait()
    return (time.perf_counter() - begin) * 1e3 / steps


def laid_out(x, layout):
    import torch
    return x.contiguous(memory_format=torch.channels_last) if x.dim() == 4 and layout == "nhwc" else x


def training_step(design, weights, feeds, device, layout, mode):
    import torch

    import torch_network
    network = torch_network.Network(design, torch_network.parameters_only(weights)).train()
    network = network.to(device.name)
    if layout == "nhwc":
        network = network.to(memory_format=torch.channels_last)
    optimizer = torch_network.optimizer_for(network, design["training"], True)
    for group in optimizer.param_groups:
        group["lr"] = design["training"].get("learning_rate", 0.01)
    computed = torch.compile(network) if mode == "compile" else network

    def step():
        optimizer.zero_grad(set_to_none=True)
        with device.rounding():
            loss = computed(feeds)
        loss.backward()
        optimizer.step()

    return step


def step_of(design, weights, data, device, mode, layout):
    """One step, the batch copied to the device before it where that is another than the host."""
    import torch

    import torch_network
    batch = {name: laid_out(x, layout)
             for name, x in torch_network.feeds_of(design, data, 0, design["data"]["batch"]).items()}
    feeds = {name: x.to(device.name) for name, x in batch.items()}
    if any(layer["kind"] == "lca" for layer in design["layers"]):
        step = torch_network.SparseCoding(design, torch_network.parameters_only(weights), feeds).step
        step = torch.compile(step) if mode == "compile" else step
    else:
        step = training_step(design, weights, feeds, device, layout, mode)
    if not device.is_gpu:
        return step
    pinned = {name: x.pin_memory() for name, x in batch.items()}
    inner = device.captured(step) if mode == "graph" else step

    def fed():
        for name, x in feeds.items():
            x.copy_(pinned[name], non_blocking=True)
        inner()

    return fed


def lines_of(arguments, design_file, record, modes, layouts, steps, warmup):
    """A line per way of running the design."""
    import torch

    import weft_design
    design = weft_design.load(design_file)
    weights = weft_design.tensors(pathlib.Path(record) / "weights.safetensors")
    data = weft_design.tensors(pathlib.Path(record) / "data.safetensors")
    device = Device(arguments.device, design["training"].get("precision", "exact"))
    for mode in modes:
        for layout in layouts:
            line = {"bench": "step", "peer": "pytorch", "version": torch.__version__,
                    "design": design.get("name", ""), "batch": design["data"]["batch"],
                    "threads": arguments.threads, "mode": mode, "layout": layout, "precision": device.precision,
                    "machine": device.model()}
            try:
                step = step_of(design, weights, data, device, mode, layout)
                times = timed(step, device.wait, warmup, steps)
                if device.is_gpu:
                    line["pipelined_ms"] = pipelined(step, device.wait, steps)
                line.update(steps=len(times), median_ms=times[len(times) // 2], fastest_ms=times[0],
                            resident_mib=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
            except Exception as error:  # the other ways are timed all the same
                if not device.is_gpu:
                    raise
                line["failed"] = str(error).splitlines()[0] if str(error) else type(error).__name__
            step = None
            device.forget()
            yield line


def serve(arguments):
    """Takes a design per line of its input, as JSON: what main's options say, by their names. Answers each
    with its lines and one that says that they have ended."""
    for asked in sys.stdin:
        job = json.loads(asked)
        try:
            for line in lines_of(arguments, job["design"], job["record"], job["modes"], job["layouts"], job["steps"],
                                 job["warmup"]):
                print(json.dumps(line), flush=True)
        except Exception as error:  # the next design has its turn all the same
            print(json.dumps({"mode": "all", "layout": "of it", "failed": "%s: %s" % (type(error).__name__, error)}),
                  flush=True)
        print(json.dumps({"end": True}), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("design", type=pathlib.Path, nargs="?")
    parser.add_argument("--record", type=pathlib.Path)
    parser.add_argument("--serve", action="store_true", help="take designs from the input, one after the other")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--warmup", type=int, default=3)
    parser.add_argument("--layouts", nargs="+", choices=["nchw", "nhwc"], default=["nhwc"], help="of pictures")
    parser.add_argument("--modes", nargs="+", choices=["eager", "graph", "compile"], default=["eager"])
    arguments = parser.parse_args()
    if not arguments.serve and (arguments.design is None or arguments.record is None):
        parser.error("a design and --record, or --serve")
    os.environ["OMP_NUM_THREADS"] = str(arguments.threads)
    import torch  # after the number of threads is set
    torch.set_num_threads(arguments.threads)
    if arguments.serve:
        serve(arguments)
        return
    for line in lines_of(arguments, arguments.design, arguments.record, arguments.modes, arguments.layouts,
                         arguments.steps, arguments.warmup):
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
