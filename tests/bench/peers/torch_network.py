# SPDX-License-Identifier: Apache-2.0
"""A design as a PyTorch module, with parameters named as Weft names them."""
import math

import torch
import torch.nn.functional as F

import parameter_names
import weft_design


# Kinds whose functions take their inputs by the names of ports.
BY_PORT = {"attention", "mse", "softmax_cross_entropy"}


def pair(attributes, name, fallback):
    value = attributes.get(name, fallback)
    value = [value, value] if isinstance(value, int) else list(value)
    return value * 2 if len(value) == 1 else value


class Network(torch.nn.Module):
    """Computes every layer in order. `ports` of inputs are given to forward; it returns the sum of
    the weighted losses."""

    def __init__(self, design, weights):
        super().__init__()
        self.layers = list(weft_design.flattened(design).values())
        uses = [source for layer in self.layers for source in layer.inputs.values()]
        # A value without other readers may be overwritten, as with ReLU(inplace=True).
        inputs = {layer.name for layer in self.layers if layer.kind == "input"}
        self.in_place = {layer.name for layer in self.layers if layer.kind == "relu"
                         and uses.count(layer.inputs["x"]) == 1 and layer.inputs["x"][0] not in inputs}
        for name, array in weights.items():
            tensor = torch.from_numpy(array)
            key = name.replace(".", "|")
            if name.endswith(("running_mean", "running_var", "num_batches_tracked")):
                self.register_buffer(key, tensor)
            else:
                self.register_parameter(key, torch.nn.Parameter(tensor))

    def part(self, layer, name):
        if name not in parameter_names.NAMES[layer.kind]:
            raise KeyError("parameter_names.py does not say that %s is read of %s" % (name, layer.kind))
        key = (layer.name + "." + name).replace(".", "|")
        return self._parameters.get(key) if key in self._parameters else self._buffers.get(key)

    def forward(self, feeds):
        values, loss = dict(feeds), 0
        for layer in self.layers:
            if layer.kind in ("input", "accuracy"):
                continue
            x = [values[source[0]] for _, source in sorted(layer.inputs.items(), key=lambda item: (len(item[0]), item[0]))]
            named = {port: values[source[0]] for port, source in layer.inputs.items()}
            y = getattr(self, layer.kind)(layer, named if layer.kind in BY_PORT else x)
            values[layer.name] = y
            if layer.kind in ("softmax_cross_entropy", "mse"):
                loss = loss + layer.attributes.get("weight", 1.0) * y
        return loss

    # One function per kind, named as the kind.

    def dense(self, layer, x):
        return F.linear(x[0], self.part(layer, "weight"), self.part(layer, "bias"))

    def conv2d(self, layer, x):
        a = layer.attributes
        padding = "same" if a.get("pad") == "same" else pair(a, "padding", 0)
        return F.conv2d(x[0], self.part(layer, "weight"), self.part(layer, "bias"), pair(a, "stride", 1),
                        padding, pair(a, "dilation", 1), a.get("groups", 1))

    def max_pool2d(self, layer, x):
        a = layer.attributes
        kernel = pair(a, "kernel", 3)
        return F.max_pool2d(x[0], kernel, pair(a, "stride", kernel), pair(a, "padding", 0),
                            ceil_mode=a.get("ceil", False))

    def average_pool2d(self, layer, x):
        a = layer.attributes
        kernel = pair(a, "kernel", 3)
        return F.avg_pool2d(x[0], kernel, pair(a, "stride", kernel), pair(a, "padding", 0),
                            a.get("ceil", False), a.get("count_include_pad", True))

    def global_average_pool(self, layer, x):
        return x[0].mean((2, 3))

    def batch_norm(self, layer, x):
        a = layer.attributes
        return F.batch_norm(x[0], self.part(layer, "running_mean"), self.part(layer, "running_var"),
                            self.part(layer, "weight"), self.part(layer, "bias"), True,
                            a.get("momentum", 0.1), a.get("epsilon", 1e-5))

    def layer_norm(self, layer, x):
        return F.layer_norm(x[0], x[0].shape[-1:], self.part(layer, "weight"), self.part(layer, "bias"),
                            layer.attributes.get("epsilon", 1e-5))

    def relu(self, layer, x):
        return F.relu(x[0], layer.name in self.in_place)

    def gelu(self, layer, x):
        return F.gelu(x[0])

    def tanh(self, layer, x):
        return torch.tanh(x[0])

    def leaky_relu(self, layer, x):
        return F.leaky_relu(x[0], layer.attributes.get("negative_slope", 0.01))

    def prelu(self, layer, x):
        return F.prelu(x[0], self.part(layer, "weight"))

    def elu(self, layer, x):
        return F.elu(x[0], layer.attributes.get("alpha", 1.0))

    def selu(self, layer, x):
        return F.selu(x[0])

    def silu(self, layer, x):
        return F.silu(x[0])

    def mish(self, layer, x):
        return F.mish(x[0])

    def sigmoid(self, layer, x):
        return torch.sigmoid(x[0])

    def softplus(self, layer, x):
        return F.softplus(x[0], layer.attributes.get("beta", 1.0))

    def softsign(self, layer, x):
        return F.softsign(x[0])

    def hard_sigmoid(self, layer, x):
        a = layer.attributes
        return torch.clamp(a.get("alpha", 1 / 6) * x[0] + a.get("beta", 0.5), 0, 1)

    def hard_swish(self, layer, x):
        return F.hardswish(x[0])

    def clip(self, layer, x):
        return torch.clamp(x[0], layer.attributes.get("min", 0.0), layer.attributes.get("max", 6.0))

    def log(self, layer, x):
        return torch.log(x[0])

    def exp(self, layer, x):
        return torch.exp(x[0])

    def square(self, layer, x):
        return torch.square(x[0])

    def sqrt(self, layer, x):
        return torch.sqrt(x[0])

    def power(self, layer, x):
        return torch.pow(x[0], layer.attributes.get("exponent", 2.0))

    def abs(self, layer, x):
        return torch.abs(x[0])

    def neg(self, layer, x):
        return torch.neg(x[0])

    def reciprocal(self, layer, x):
        return torch.reciprocal(x[0])

    def sin(self, layer, x):
        return torch.sin(x[0])

    def cos(self, layer, x):
        return torch.cos(x[0])

    def erf(self, layer, x):
        return torch.erf(x[0])

    def softmax(self, layer, x):
        return F.softmax(x[0], -1)

    def dropout(self, layer, x):
        return F.dropout(x[0], layer.attributes.get("rate", 0.5))

    def add(self, layer, x):
        return sum(x[1:], x[0])

    def multiply(self, layer, x):
        y = x[0]
        for other in x[1:]:
            y = y * other
        return y

    def concat(self, layer, x):
        return torch.cat(x, layer.attributes.get("dim", 1))

    def flatten(self, layer, x):
        return torch.flatten(x[0], 1)

    def embedding(self, layer, x):
        return F.embedding(x[0], self.part(layer, "weight"))

    def position_embedding(self, layer, x):
        return x[0] + self.part(layer, "weight")[: x[0].shape[1]]

    def attention(self, layer, x):
        x, context = x["x"], x.get("context", x["x"])
        heads = layer.attributes["heads"]

        def split(y):
            return y.view(y.shape[0], y.shape[1], heads, -1).transpose(1, 2)

        q, k, v = map(split, self.projections(layer, x, context))
        o = F.scaled_dot_product_attention(q, k, v, is_causal=layer.attributes.get("causal", False))
        o = o.transpose(1, 2).reshape(x.shape)
        return F.linear(o, self.part(layer, "out_proj.weight"), self.part(layer, "out_proj.bias"))

    def projections(self, layer, x, context):
        """Queries, keys and values: of one tensor where x and context have as many features."""
        weight, bias = self.part(layer, "in_proj_weight"), self.part(layer, "in_proj_bias")
        if weight is not None and context is x:
            return F.linear(x, weight, bias).chunk(3, -1)
        weights = [self.part(layer, which + "_proj_weight") for which in "qkv"] if weight is None else weight.chunk(3)
        biases = [None] * 3 if bias is None else bias.chunk(3)
        return [F.linear(y, w, b) for y, w, b in zip((x, context, context), weights, biases)]

    def softmax_cross_entropy(self, layer, x):
        classes = x["logits"].shape[-1]
        return F.cross_entropy(x["logits"].reshape(-1, classes), x["target"].reshape(-1).long())

    def mse(self, layer, x):
        return F.mse_loss(x["x"], x["target"])


class SparseCoding:
    """A design of one `lca` layer, without autograd: rounds in place on patches, which is the fastest
    form in PyTorch (both forms by convolutions take four times as long), then one update of the
    dictionary. Of what the layer offers, that which can be timed: fixed steps, a soft transfer, from
    rest, divided by elements."""

    def __init__(self, design, weights, feeds):
        layers = weft_design.flattened(design)
        layer = next(each for each in layers.values() if each.kind == "lca")
        a = layer.attributes
        known = (a.get("start", "warm") == "rest" and a.get("transfer", "soft") == "soft" and
                 a.get("step_rule", "fixed") == "fixed" and a.get("variant", "lca") == "lca" and
                 a.get("self_interaction", True) and a.get("count", "elements") == "elements" and
                 a.get("momentum_method", "none") == "none")
        if not known:
            raise ValueError("of lca only soft codes from rest by fixed steps are timed here")
        self.x = feeds[layer.inputs["x"][0]]
        self.dictionary = torch.from_numpy(weights[layer.name + ".weight"]).to(self.x.device)
        self.kernel, self.stride = pair(a, "kernel", 8), pair(a, "stride", 2)
        self.padding = [(k - s) // 2 for k, s in zip(self.kernel, self.stride)]
        self.rounds, self.threshold = a.get("iterations", 50), a.get("threshold", 0.5)
        self.is_two_sided = a.get("two_sided", False)
        self.take = 1 - math.exp(-a.get("step", 1.0) / a.get("tau", 10.0))
        self.rate = design["training"].get("learning_rate", 0.01)
        positions = [size // s for size, s in zip(self.x.shape[2:], self.stride)]
        self.shape = (self.x.shape[0], self.dictionary.shape[0], positions[0] * positions[1])

    def patches(self, maps):
        return F.unfold(maps, self.kernel, padding=self.padding, stride=self.stride)

    def residual(self, atoms, code):
        return self.x - F.fold(atoms.t() @ code, self.x.shape[2:], self.kernel, padding=self.padding,
                               stride=self.stride)

    @torch.no_grad()
    def step(self):
        atoms = self.dictionary.flatten(1)
        potential, code = self.x.new_zeros(self.shape), self.x.new_zeros(self.shape)
        for _ in range(self.rounds):
            drive = atoms @ self.patches(self.residual(atoms, code))
            potential.mul_(1 - self.take).add_(drive, alpha=self.take).add_(code, alpha=self.take)
            if self.is_two_sided:
                torch._C._nn.softshrink(potential, self.threshold, out=code)
            else:
                torch.sub(potential, self.threshold, out=code).clamp_min_(0)
        residual = self.residual(atoms, code)
        energy = residual.square().sum() / 2 + self.threshold * code.abs().sum()
        wanted = torch.einsum("bel,bpl->ep", code, self.patches(residual))
        atoms = atoms + wanted * (self.rate / self.shape[0])
        self.dictionary.copy_((atoms / atoms.norm(dim=1, keepdim=True)).view_as(self.dictionary))
        return energy / self.shape[0]


def parameters_only(tensors):
    """Without the optimizer's state, which is named weight/momentum and so on."""
    return {name: array for name, array in tensors.items() if "/" not in name.rsplit(".", 1)[-1]}


def optimizer_for(network, training, fused):
    """The optimizer of a design's training settings. Weft decays what a layer's decay_scale says:
    everything alike in the samples."""
    setting = training.get("optimizer", "sgd")
    kind = setting if isinstance(setting, str) else setting["kind"]
    a = {} if isinstance(setting, str) else setting.get("with", {})
    if kind == "sgd":
        return torch.optim.SGD(network.parameters(), lr=1.0, momentum=a.get("momentum", 0.0),
                               weight_decay=a.get("weight_decay", 0.0), nesterov=a.get("nesterov", False),
                               fused=fused)
    if kind == "rmsprop":
        return torch.optim.RMSprop(network.parameters(), lr=1.0, alpha=a.get("alpha", 0.99),
                                   eps=a.get("epsilon", 1e-8), weight_decay=a.get("weight_decay", 0.0),
                                   momentum=a.get("momentum", 0.0), centered=False)
    adams = {"adam": (torch.optim.Adam, 0.0), "adamw": (torch.optim.AdamW, 0.01)}
    if kind not in adams:
        raise KeyError("optimizer_for does not know the optimizer %s" % kind)
    made, decay = adams[kind]
    return made(network.parameters(), lr=1.0, betas=(a.get("beta1", 0.9), a.get("beta2", 0.999)),
                eps=a.get("epsilon", 1e-8), weight_decay=a.get("weight_decay", decay))


def feeds_of(design, data, first, count):
    """Returns the inputs of the input layers: rows [first, first + count) of the recorded fields."""
    feeds = {}
    for layer, field in design["data"]["feeds"].items():
        array = data[field][first:first + count]
        feeds[layer] = torch.from_numpy(array)
        if array.dtype.kind == "i":
            feeds[layer] = feeds[layer].long()
    return feeds
