#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do the losses of a design follow PyTorch's?

    losses.py --weft build/measure/app/weft/weft DESIGN... [--data FOLDER] [--steps 20]

Weft trains the design with dropout 0 and records its first weights and its batches; PyTorch takes
the same steps from them. Prints a JSON line per design; exit code 1 when a loss differs by more
than 1e-4 (relative) at step 1 or 1e-2 at the last step.
"""
import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

import torch

import torch_network
import weft_design


def without_dropout(design):
    for network in [design] + design.get("groups", []):
        for layer in network["layers"]:
            if layer["kind"] == "dropout":
                layer.setdefault("with", {})["rate"] = 0
    return design


def adjusted(design, arguments):
    if arguments.batch:
        design["data"]["batch"] = arguments.batch
    for setting in arguments.source:
        design["data"]["source"].setdefault("with", {}).update([setting.split("=", 1)])
    return design


def measured_by_weft(arguments, design, origin, folder):
    """Returns the output of weft bench, and the tensors it recorded into the folder."""
    file = pathlib.Path(folder) / "design.weft"
    file.write_text(json.dumps(design), encoding="utf-8")
    command = [arguments.weft, "bench", str(file), "--warmup", "0", "--steps", str(arguments.steps),
               "--batches", str(arguments.steps), "--threads", str(arguments.threads), "--record",
               folder, "--data", str(origin)]
    for data in arguments.data:
        command += ["--data", data]
    done = subprocess.run(command, capture_output=True, text=True, timeout=arguments.timeout)
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip() or "weft ended with %d" % done.returncode)
    return json.loads(done.stdout)


def energies_in_torch(design, folder, steps, batch):
    """Returns the start values of each step of sparse coding, which learns without a loss."""
    weights, data = (weft_design.tensors(pathlib.Path(folder) / name) for name in
                     ("weights.safetensors", "data.safetensors"))
    examples = len(next(iter(data.values())))
    network, energies = None, []
    for step in range(steps):
        feeds = torch_network.feeds_of(design, data, step * batch % (examples - examples % batch), batch)
        network = network or torch_network.SparseCoding(design, weights, feeds)
        network.x = next(iter(feeds.values()))
        energies.append(network.step().item())
    return energies


def losses_in_torch(design, folder, rates, batch, dtype=torch.float32):
    if any(layer.kind == "lca" for layer in weft_design.flattened(design).values()):
        return energies_in_torch(design, folder, len(rates), batch)
    folder = pathlib.Path(folder)
    weights = weft_design.tensors(folder / "weights.safetensors")
    data = weft_design.tensors(folder / "data.safetensors")
    network = torch_network.Network(design, torch_network.parameters_only(weights)).to(dtype)
    optimizer = torch_network.optimizer_for(network, design["training"], False)
    clip = design["training"].get("clip_norm", 0)
    examples = len(next(iter(data.values())))
    losses = []
    for step, rate in enumerate(rates):
        first = step * batch % (examples - examples % batch)
        optimizer.param_groups[0]["lr"] = rate
        optimizer.zero_grad(set_to_none=True)
        feeds = torch_network.feeds_of(design, data, first, batch)
        loss = network({name: x.to(dtype) if x.is_floating_point() else x for name, x in feeds.items()})
        loss.backward()
        if clip:
            torch.nn.utils.clip_grad_norm_(network.parameters(), clip)
        optimizer.step()
        losses.append(loss.item())
    return losses


def apart(losses, others):
    return [abs(a - b) / max(abs(b), 1e-12) for a, b in zip(losses, others)]


def rounded(numbers):
    return [float("%.2g" % number) for number in numbers]


def compared(arguments, path):
    design = adjusted(without_dropout(weft_design.load(path)), arguments)
    with tempfile.TemporaryDirectory() as folder:
        mine = measured_by_weft(arguments, design, path.parent, folder)
        peers = losses_in_torch(design, folder, mine["learning_rates"], mine["batch"])
        exact = losses_in_torch(design, folder, mine["learning_rates"], mine["batch"], torch.float64) \
            if arguments.double else None
    differences = apart(mine["losses"], peers)
    fits = differences[0] <= 1e-4 and differences[-1] <= 1e-2
    own = {} if exact is None else {"from_double": rounded(apart(mine["losses"], exact)),
                                    "peer_from_double": rounded(apart(peers, exact))}
    print(json.dumps({"bench": "losses", "date": datetime.date.today().isoformat(), "design": mine["design"], "batch": mine["batch"],
                      "steps": len(peers), "weft": mine["version"], "peer": "pytorch " + torch.__version__,
                      "first": [mine["losses"][0], peers[0]], "last": [mine["losses"][-1], peers[-1]],
                      "differences": rounded(differences), **own,
                      "difference_first": differences[0], "difference_last": differences[-1],
                      "fits": fits}), flush=True)
    return fits


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("designs", nargs="+", type=pathlib.Path)
    parser.add_argument("--weft", required=True, help="the program")
    parser.add_argument("--data", action="append", default=[], help="a folder that holds mnist, cifar10, text")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--batch", type=int, default=0, help="another batch than the design's")
    parser.add_argument("--source", action="append", default=[], help="an attribute of the source: test=some.bin")
    parser.add_argument("--double", action="store_true",
                        help="PyTorch in double too: how far round-off alone drives its own losses")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--timeout", type=int, default=1800, help="seconds for each design")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    results = [compared(arguments, path) for path in arguments.designs]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
