#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The parameters that torch_network.py reads, by kind of layer, named as Weft names them.

    parameter_names.py --weft build/suite/app/weft/weft

Compares them with those that `weft layers` declares, and the kinds of every bench with those that
torch_network.py computes. Needs no PyTorch, so that the suite asks it always. Prints what differs, and
ends with exit code 1 where something does.
"""
import argparse
import ast
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent

# Other kinds have none.
NAMES = {
    "attention": ["in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias", "q_proj_weight",
                  "k_proj_weight", "v_proj_weight"],
    "batch_norm": ["weight", "bias", "running_mean", "running_var"],
    "conv2d": ["weight", "bias"],
    "dense": ["weight", "bias"],
    "embedding": ["weight"],
    "layer_norm": ["weight", "bias"],
    "lca": ["weight"],
    "position_embedding": ["weight"],
    "prelu": ["weight"],
}
# Declared, and not read: what is remembered, and counted for evaluations.
UNREAD = {"lca": ["rest", "use"]}
# Computed by a class of its own, or by nobody.
APART = {"lca", "input", "accuracy"}


def computed_kinds():
    """The functions of torch_network.Network, read from its source."""
    tree = ast.parse((HERE / "torch_network.py").read_text(encoding="utf-8"))
    network = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Network")
    return {node.name for node in network.body if isinstance(node, ast.FunctionDef)}


def kinds_of(design):
    """Returns the names for its layers and for those of its groups."""
    parts = [design, *design.get("groups", [])]
    return {layer["kind"] for part in parts for layer in part["layers"]} - {"group"}


def differences(declared, designs):
    """A sentence for each."""
    for kind in sorted({*NAMES, *declared}):
        wanted = sorted(NAMES.get(kind, []) + UNREAD.get(kind, []))
        if kind not in declared:
            yield "weft has no layer kind %s" % kind
        elif wanted != declared[kind] and (kind in NAMES or kind in computed_kinds()):
            yield "%s: torch_network.py reads %s, weft declares %s" % (kind, wanted, declared[kind])
    for path in designs:
        design = json.loads(path.read_text(encoding="utf-8"))
        for kind in sorted(kinds_of(design) - computed_kinds() - APART):
            yield "%s has a layer of kind %s, which torch_network.py does not compute" % (path, kind)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--weft", required=True, help="the program")
    arguments = parser.parse_args()
    layers = json.loads(subprocess.run([arguments.weft, "layers", "--json"], capture_output=True, text=True, check=True,
                                       timeout=60).stdout)
    declared = {layer["kind"]: sorted(parameter["name"] for parameter in layer["parameters"]) for layer in layers}
    designs = sorted((HERE / "../../../projects").resolve().glob("*/bench.weft"))
    found = list(differences(declared, designs))
    print("\n".join(found or ["%d kinds of layers, %d benches" % (len(declared), len(designs))]))
    sys.exit(1 if found or not designs else 0)


if __name__ == "__main__":
    main()
