// SPDX-License-Identifier: Apache-2.0
#include "hostile_designs.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <array>
#include <random>

namespace weft::test {

namespace {

using Chance = std::mt19937;

std::size_t below(Chance& chance, std::size_t count) { return chance() % count; }

/// Returns a value of a type that does not belong here.
QJsonValue wrongValue(Chance& chance) {
    static const std::vector<QJsonValue> values = {
        "",
        "high",
        "followed",
        "cpu:0",
        "data",
        "model.stack",
        "space.rows",
        "nothing.at.all",
        "\x1b[31mred\x1b[0m",
        QString::fromLatin1("a\0b", 3),
        "one\ntwo",
        "../../etc/passwd",
        QString(5000, QChar('x')),
        0,
        1,
        2,
        3,
        -1,
        0.5,
        -0.0,
        1e-320,
        1e300,
        2147483647.0,
        2147483648.0,
        4294967296.0,
        9007199254740993.0,
        1e19,
        true,
        false,
        QJsonValue(QJsonValue::Null),
        QJsonArray(),
        QJsonArray{1},
        QJsonArray{-1, 0, 7},
        QJsonArray{"x", QJsonValue(QJsonValue::Null)},
        QJsonObject(),
        QJsonObject{{"kind", "sgd"}},
        QJsonObject{{"with", QJsonObject{{"momentum", "high"}}}}};
    return values[below(chance, values.size())];
}

/// A name with a letter too many, too few or another; or with what a terminal obeys.
QString wrongName(const QString& name, Chance& chance) {
    const auto at = name.isEmpty() ? 0 : static_cast<qsizetype>(below(chance, name.size()));
    QString changed = name;
    switch (below(chance, 5)) {
    case 0: return changed.insert(at, QChar('e'));
    case 1: return changed.remove(at, 1);
    case 2: return changed.toUpper();
    case 3: return changed.insert(at, "\x1b[2J");
    default: return changed.insert(at, QChar('\n'));
    }
}

QJsonValue wounded(const QJsonValue& value, Chance& chance);

QJsonValue woundedObject(QJsonObject object, Chance& chance) {
    const QStringList keys = object.keys();
    const QString& key = keys[static_cast<qsizetype>(below(chance, keys.size()))];
    switch (below(chance, 8)) {
    case 0: object.remove(key); break;
    case 1: object[wrongName(key, chance)] = object.take(key); break;
    case 2: object["unheard_of"] = wrongValue(chance); break;
    case 3: object[key] = wrongValue(chance); break;
    default: object[key] = wounded(object[key], chance);
    }
    return object;
}

QJsonValue woundedArray(QJsonArray array, Chance& chance) {
    const auto at = static_cast<int>(below(chance, array.size()));
    switch (below(chance, 8)) {
    case 0: array.removeAt(at); break;
    case 1: array.append(array.at(at)); break; // a layer, wire or device twice
    case 2: array.insert(at, wrongValue(chance)); break;
    case 3: array[at] = array.at(static_cast<int>(below(chance, array.size()))); break;
    default: array[at] = wounded(array.at(at), chance);
    }
    return array;
}

/// One wound somewhere within.
QJsonValue wounded(const QJsonValue& value, Chance& chance) {
    if (value.isObject() && !value.toObject().isEmpty()) {
        return woundedObject(value.toObject(), chance);
    }
    if (value.isArray() && !value.toArray().isEmpty()) {
        return woundedArray(value.toArray(), chance);
    }
    if (value.isString() && below(chance, 2) == 0) {
        return wrongName(value.toString(), chance);
    }
    return wrongValue(chance);
}

/// Wires by which what was a chain runs back into itself, or from nowhere.
void crossWires(QJsonObject& design, Chance& chance) {
    QJsonArray wires = design["wires"].toArray();
    if (wires.isEmpty()) {
        return;
    }
    const auto end = [&](int side) {
        return wires.at(static_cast<int>(below(chance, wires.size())))
            .toString()
            .section(" -> ", side, side);
    };
    wires.append(end(0) + " -> " + end(1));
    design["wires"] = wires;
}

QByteArray tornText(QByteArray text, Chance& chance) {
    const auto at = static_cast<qsizetype>(below(chance, text.size()));
    switch (below(chance, 4)) {
    case 0: return text.left(at);
    case 1: text[at] = static_cast<char>(below(chance, 256)); return text;
    case 2: return text.insert(at, text.mid(at, 40));
    default: return text.remove(at, 1);
    }
}

} // namespace

std::vector<QByteArray> goodDesigns() {
    const QByteArray chain = R"({"weft": 1, "name": "chain", "assign": "follow",
 "devices": ["cpu:0", {"name": "cpu:1", "cores": 1, "colour": 4}],
 "data": {"source": {"kind": "digits", "with": {"count": 60, "test_count": 20}},
  "feeds": {"picture": "images", "digit": "labels"}, "batch": 20, "validation": 0.1,
  "order": "file", "last_batch": "drop"},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.9}}, "learning_rate": 0.05,
  "schedule": {"kind": "cosine", "with": {"end": 0.1, "warmup_steps": 1}}, "clip_norm": 1,
  "steps": 2, "checkpoint_every": 2, "evaluate_every": 2, "seed": 3,
  "target": {"metric": "hits", "value": 0.99}},
 "layers": [
  {"id": 1, "name": "picture", "kind": "input", "with": {"shape": [1, 28, 28]}, "at": [0, 0]},
  {"id": 2, "name": "conv", "kind": "conv2d", "with": {"filters": 4, "kernel": 5, "stride": 2},
   "assign": {"on": ["cpu:0", "cpu:1"], "axes": "data"}},
  {"id": 3, "name": "norm", "kind": "batch_norm"},
  {"id": 4, "name": "relu", "kind": "relu", "bypassed": false},
  {"id": 5, "name": "flat", "kind": "flatten"},
  {"id": 6, "name": "fc1", "kind": "dense", "with": {"units": {"as": "3*4", "value": 12}},
   "assign": {"on": ["cpu:0", "cpu:1"], "mesh": [2, 1], "axes": ["model.stack", "data"]}},
  {"id": 7, "name": "fc2", "kind": "dense", "with": {"units": 10}, "assign": {"on": "cpu:1"}},
  {"id": 8, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 9, "name": "loss", "kind": "softmax_cross_entropy"},
  {"id": 10, "name": "hits", "kind": "accuracy"}],
 "wires": ["picture.y -> conv.x", "conv.y -> norm.x", "norm.y -> relu.x",
  {"from": "relu.y", "to": "flat.x", "scheme": "whole", "via": [[10, 20], [10, 40]]},
  "flat.y -> fc1.x", "fc1.y -> fc2.x", "fc2.y -> loss.logits", "digit.y -> loss.target",
  "fc2.y -> hits.logits", "digit.y -> hits.target"],
 "frames": [{"id": 1, "name": "head", "layers": [7, 9]}],
 "comments": [{"id": 1, "text": "see", "at": [5, 5]}]})";
    const QByteArray groups = R"({"weft": 1, "name": "groups",
 "data": {"source": {"kind": "random",
   "with": {"values": "ids", "shape": [6], "classes": 11, "count": 24}},
  "feeds": {"ids": "ids", "next": "targets"}, "batch": 4},
 "training": {"optimizer": "adam", "learning_rate": 0.01, "schedule": "constant", "steps": 2,
  "order": "depth", "streams": 2, "bucket_megabytes": 1},
 "groups": [
  {"name": "block", "parameters": {"width": 8},
   "inputs": {"x": ["norm.x", "sum.x1"]}, "outputs": {"y": "sum.y"},
   "layers": [
    {"id": 1, "name": "norm", "kind": "layer_norm"},
    {"id": 2, "name": "look", "kind": "attention", "with": {"heads": 2, "causal": true}},
    {"id": 3, "name": "down", "kind": "dense", "with": {"units": {"as": "width", "value": 8}}},
    {"id": 4, "name": "sum", "kind": "add"}],
   "wires": ["norm.y -> look.x", "look.y -> down.x", "down.y -> sum.x0"]}],
 "layers": [
  {"id": 1, "name": "ids", "kind": "input", "with": {"dtype": "i64", "shape": [6]}},
  {"id": 2, "name": "next", "kind": "input", "with": {"dtype": "i64", "shape": [6]}},
  {"id": 3, "name": "embed", "kind": "embedding", "with": {"rows": 11, "features": 8}},
  {"id": 4, "name": "blocks", "kind": "group", "group": "block", "repeat": 2,
   "with": {"width": 8}},
  {"id": 5, "name": "head", "kind": "dense", "with": {"units": 11, "init": "normal"}},
  {"id": 6, "name": "loss", "kind": "softmax_cross_entropy", "with": {"ignore": -1}}],
 "wires": ["ids.y -> embed.ids", "embed.y -> blocks.x", "blocks.y -> head.x",
  "head.y -> loss.logits", "next.y -> loss.target"]})";
    return {chain, groups};
}

QByteArray hostileDesign(const std::vector<QByteArray>& good, std::uint32_t seed) {
    Chance chance(seed);
    QJsonObject design = QJsonDocument::fromJson(good[below(chance, good.size())]).object();
    for (std::size_t wounds = 1 + below(chance, 3); wounds > 0; --wounds) {
        if (below(chance, 12) == 0) {
            crossWires(design, chance);
        } else if (!design.isEmpty()) {
            design = wounded(design, chance).toObject();
        }
    }
    const QByteArray text = QJsonDocument(design).toJson();
    return below(chance, 10) == 0 ? tornText(text, chance) : text;
}

} // namespace weft::test
