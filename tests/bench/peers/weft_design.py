# SPDX-License-Identifier: Apache-2.0
"""Reads what Weft wrote: a design, flattened to a list of layers, and safetensors files."""
import json
import struct

import numpy


class Layer:
    """One layer as it is computed: `inputs` maps a port to (layer name, port)."""

    def __init__(self, name, kind, attributes):
        self.name, self.kind, self.attributes, self.inputs = name, kind, attributes, {}


def number(expression, parameters):
    """An expression as it stands in a file: numbers, names, + - * / and brackets."""
    return eval(compile(expression, "expression", "eval"), {"__builtins__": {}}, dict(parameters))


def attributes_of(layer, parameters):
    result = {}
    for key, value in layer.get("with", {}).items():
        if isinstance(value, dict):
            value = number(value["as"], parameters)
            value = int(value) if float(value).is_integer() else value
        result[key] = value
    return result


def end_of(text):
    if isinstance(text, dict):
        return text["layer"], text["port"]
    return tuple(text.rsplit(".", 1))


class Flattener:
    def __init__(self, design):
        self.groups = {group["name"]: group for group in design.get("groups", [])}
        self.layers = {}

    def network(self, network, prefix, parameters, feeds):
        """Adds the layers of a network. `feeds` says what feeds ports from outside; returns where
        a port of one of its layers is really computed."""
        inputs = {}
        for wire in network["wires"]:
            source, target = (wire["from"], wire["to"]) if isinstance(wire, dict) else wire.split(" -> ")
            inputs.setdefault(end_of(target)[0], {})[end_of(target)[1]] = end_of(source)
        outputs, left = {}, list(network["layers"])

        def source_of(end):
            return feeds[end] if end in feeds else outputs.get(end)

        while left:
            ready = [layer for layer in left
                     if all(end in outputs for end in inputs.get(layer["name"], {}).values())]
            if not ready:
                raise ValueError("the wires of %s go round in a circle" % (prefix or "the design"))
            for layer in ready:
                left.remove(layer)
                wired = {port: outputs[end] for port, end in inputs.get(layer["name"], {}).items()}
                wired.update({port: source for (name, port), source in feeds.items() if name == layer["name"]})
                self.layer(layer, prefix, parameters, wired, outputs)
        return outputs

    def layer(self, layer, prefix, parameters, wired, outputs):
        name = prefix + layer["name"]
        if layer["kind"] == "group":
            self.instance(layer, name, parameters, wired, outputs)
            return
        added = Layer(name, layer["kind"], attributes_of(layer, parameters))
        added.inputs = wired
        self.layers[name] = added
        for port in ("y", "loss", "accuracy"):
            outputs[(layer["name"], port)] = (name, port)

    def instance(self, layer, name, parameters, wired, outputs):
        group = self.groups[layer["group"]]
        inside = {**group.get("parameters", {}), **attributes_of(layer, parameters)}
        copies = layer.get("repeat", 1)
        for copy in range(1, copies + 1):
            path = "%s[%d]/" % (name, copy) if copies > 1 else name + "/"
            feeds = {}
            for port, ends in group["inputs"].items():
                for end in ends if isinstance(ends, list) else [ends]:
                    feeds[end_of(end)] = wired[port]
            made = self.network(group, path, inside, feeds)
            results = {port: made[end_of(end)] for port, end in group["outputs"].items()}
            for (out, source), port in zip(results.items(), group["inputs"]):
                wired = {**wired, port: source}
        for port, source in results.items():
            outputs[(layer["name"], port)] = source


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def flattened(design):
    flattener = Flattener(design)
    flattener.network(design, "", {}, {})
    return flattener.layers


def tensors(path):
    """Every tensor of a safetensors file, by name."""
    types = {"F32": numpy.float32, "F64": numpy.float64, "I32": numpy.int32, "I64": numpy.int64,
             "U8": numpy.uint8}
    with open(path, "rb") as file:
        size = struct.unpack("<Q", file.read(8))[0]
        header = json.loads(file.read(size))
        body = file.read()
    result = {}
    for name, entry in header.items():
        if name != "__metadata__":
            begin, end = entry["data_offsets"]
            array = numpy.frombuffer(body[begin:end], dtype=types[entry["dtype"]])
            result[name] = array.reshape(entry["shape"]).copy()
    return result
