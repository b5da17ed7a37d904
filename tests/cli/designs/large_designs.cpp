// SPDX-License-Identifier: Apache-2.0
#include "large_designs.h"

namespace weft::test {

namespace {

/// The body stands between an input and a loss; `before` stands before the layers.
struct Body {
    QByteArray layers;
    QByteArray wires = R"("x -> b.x", "b.y -> fc")";
    QByteArray before = {};
};

QByteArray designOf(const Body& body) {
    return R"({"weft": 1, "name": "large",
 "data": {"source": {"kind": "random", "with": {"count": 12, "shape": [8]}}, "batch": 4,
  "feeds": {"x": "images", "t": "labels"}},
 "training": {"steps": 1},
 )" + body.before +
           R"("layers": [{"name": "x", "kind": "input", "with": {"shape": [8]}},
 )" + body.layers +
           R"(,
  {"name": "fc", "kind": "dense", "with": {"units": 10}},
  {"name": "t", "kind": "input", "with": {"dtype": "i64"}},
  {"name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": [)" +
           body.wires + R"(, "fc -> loss.logits", "t -> loss.target"]})";
}

constexpr const char* relu = R"({"name": "b", "kind": "relu"})";

QByteArray dense(const QByteArray& units) {
    return R"({"name": "a", "kind": "dense", "with": {"units": )" + units + "}}";
}

QByteArray group(const QByteArray& name, const QByteArray& layer) {
    return R"({"name": ")" + name +
           R"(", "inputs": {"x": ["a.x"]}, "outputs": {"y": "a.y"}, "layers": [)" + layer + "]}";
}

QByteArray groups(const QByteArray& list) { return R"("groups": [)" + list + "],"; }

QByteArray instance(const QByteArray& name, const QByteArray& of, qint64 repeat) {
    return R"({"name": ")" + name + R"(", "kind": "group", "group": ")" + of + R"(", "repeat": )" +
           QByteArray::number(repeat) + "}";
}

QByteArray devices(int count, const QByteArray& assignment) {
    return R"("devices": [)" + numbered(count, R"({"name": "cpu:#"})") + R"(], "assign": )" +
           assignment + ",";
}

} // namespace

QByteArray numbered(int count, const QByteArray& entry, const QByteArray& between) {
    QByteArray list;
    for (int i = 0; i < count; ++i) {
        list += (i == 0 ? QByteArray() : between) +
                QByteArray(entry).replace('#', QByteArray::number(i));
    }
    return list;
}

QByteArray repeatedDesign(qint64 times, const QByteArray& units) {
    return designOf(
        {.layers = instance("b", "g", times), .before = groups(group("g", dense(units)))});
}

QByteArray longExpression(int terms) {
    return R"({"value": 8, "as": ")" + numbered(terms, "1", "+") + R"("})";
}

QByteArray nestedDesign(int depth, qint64 times) {
    QByteArray list = group("g0", dense("8"));
    for (int k = 1; k < depth; ++k) {
        const QByteArray inner = "g" + QByteArray::number(k - 1);
        list += "," + group("g" + QByteArray::number(k), instance("a", inner, times));
    }
    return designOf({.layers = instance("b", "g" + QByteArray::number(depth - 1), times),
                     .before = groups(list)});
}

QByteArray designOnDevices(int count) {
    return designOf({.layers = relu, .before = devices(count, R"("data")")});
}

QByteArray designAssignedTo(int count) {
    return designOf({.layers = relu,
                     .before = devices(2, R"({"on": [)" + numbered(count, R"("cpu:#")") +
                                              R"(], "axes": "data"})")});
}

QByteArray addingDesign(int wires) {
    return designOf({.layers = R"({"name": "b", "kind": "add"})",
                     .wires = numbered(wires, R"("x -> b.x#")") + R"(, "b.y -> fc")"});
}

QByteArray designOfUnknownKinds(int layers) {
    return designOf({.layers = QByteArray(relu) + "," +
                               numbered(layers, R"({"name": "q#", "kind": "conv2"})")});
}

} // namespace weft::test
