// SPDX-License-Identifier: Apache-2.0
#include "contract/lca/lca_oracle.h"

#include "data/arrays/npy.h"
#include "support/places.h"
#include "transform/optimize_step.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QProcess>
#include <algorithm>
#include <cmath>
#include <cstring>

namespace weft::test {

namespace {

QString systemPython() {
    // The system's own has the packages; another may stand before it on the path.
    return QFileInfo::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
}

void appendNumbers(std::vector<double>& to, const Tensor& tensor) {
    const std::vector<double> numbers = tensor.numbers();
    to.insert(to.end(), numbers.begin(), numbers.end());
}

QString differenceIn(const Course& course, const std::string& ours, const QString& theirs) {
    const std::vector<double> expected = numbersIn(theirs);
    const auto found = course.find(ours);
    const QString name = QString::fromStdString(ours);
    if (found == course.end() || found->second.size() != expected.size()) {
        return name + " has another number of numbers";
    }
    double largest = 0;
    for (const double number : expected) {
        largest = std::max(largest, std::abs(number));
    }
    for (std::size_t k = 0; k < expected.size(); ++k) {
        const double difference = std::abs(found->second[k] - expected[k]);
        if (!(difference <= 1e-9 * std::max(1.0, largest))) {
            return QStringLiteral("%1 %2: %3, and the oracle has %4")
                .arg(name)
                .arg(k)
                .arg(found->second[k], 0, 'g', 12)
                .arg(expected[k], 0, 'g', 12);
        }
    }
    return {};
}

} // namespace

LcaCase usualCase() {
    LcaCase made;
    made.layer = {{"atoms", codedAtoms},
                  {"kernel", Shape{6, 4}},
                  {"stride", Shape{2, 2}},
                  {"iterations", codedRounds},
                  {"tau", 4.0},
                  {"threshold", 0.3},
                  {"start", std::string("warm")}};
    made.oracle = {{"iterations", double(codedRounds)},
                   {"tau", 4.0},
                   {"threshold", 0.3},
                   {"transfer", "soft"},
                   {"learn", true},
                   {"rate", made.rate},
                   {"start", "warm"},
                   {"stride", 2}};
    return made;
}

LcaCase adaptiveCase(const char* rule) {
    LcaCase made = usualCase();
    say(made, "step_rule", rule);
    say(made, "base_minimum", 0.4);
    say(made, "base_maximum", 0.8);
    say(made, "tau_factor", 0.2);
    say(made, "growth_factor", 0.3);
    return made;
}

void say(LcaCase& to, const char* key, double value) {
    to.layer.set(key, value);
    to.oracle[key] = value;
}
void say(LcaCase& to, const char* key, const char* word) {
    to.layer.set(key, std::string(word));
    to.oracle[key] = word;
}
void sayWhether(LcaCase& to, const char* key, bool is) {
    to.layer.set(key, is);
    to.oracle[key] = is;
}

Tensor drawnDictionary(const Shape& shape) {
    Tensor dictionary = drawNormal(DType::f64, shape, 7, "dictionary");
    for (std::int64_t k = 0; k < dictionary.elements(); ++k) {
        dictionary.set(k, dictionary.at(k) / 7);
    }
    return dictionary;
}

bool hasNumpy() {
    QProcess process;
    process.start(systemPython(), {"-c", "import numpy"});
    return process.waitForFinished() && process.exitCode() == 0;
}

std::vector<double> numbersIn(const QString& path) {
    const Array array = readNpy(path.toStdString(), DType::f64);
    std::vector<double> numbers(array.bytes.size() / sizeof(double));
    std::memcpy(numbers.data(), array.bytes.data(), array.bytes.size());
    return numbers;
}

void writeDoubles(const QString& path, const Tensor& tensor) {
    const Tensor plain = tensor.as(DType::f64);
    writeNpy(path.toStdString(), DType::f64, plain.shape, plain.bytes);
}

QString askOracle(const QDir& folder, LcaCase of, const LcaShown& shown) {
    writeDoubles(folder.filePath("frames.npy"), shown.pictures);
    writeDoubles(folder.filePath("dictionary.npy"), shown.dictionary);
    of.oracle["steps"] = double(shown.pictures.shape[0]);
    of.oracle["elements"] = double(shown.pictures.shape[1]);
    if (of.begins) {
        writeDoubles(folder.filePath("begins.npy"), shown.begins);
    }
    QFile file(folder.filePath("case.json"));
    if (!file.open(QIODevice::WriteOnly)) {
        return file.errorString();
    }
    file.write(QJsonDocument(of.oracle).toJson());
    file.close();
    QProcess process;
    process.start(
        systemPython(),
        {QString::fromStdString(sourceFolder().string()) + "/tests/oracle/lca.py", folder.path()});
    constexpr int patience = 600'000;
    if (!process.waitForFinished(patience) || process.exitCode() != 0) {
        return "the oracle: " + process.readAllStandardError();
    }
    return {};
}

LcaWalk::LcaWalk(const LcaCase& of, const Shape& pictures) : case_(of) {
    const LayerKind* kind = lowerings_.layers().find("lca");
    LayerSample sample{.inputs = {{pictures.begin() + 1, pictures.end()}}, .attributes = of.layer};
    if (of.begins) {
        sample.inputs.push_back({pictures[1]});
    }
    sample.dtypes.assign(sample.inputs.size(), DType::f64);
    alone_ = lowerings_.lower(*kind, sample, Mode::train);
    const TrainingSettings settings;
    appendUpdate(alone_.graph, lowerings_.ops(), allOptimizers(), settings);
    verify(alone_.graph);
}

Course LcaWalk::run(const LcaShown& shown) {
    Graph& graph = alone_.graph;
    std::map<std::string, Tensor> kept;
    kept["it.weight"] = shown.dictionary;
    Course course;
    appendNumbers(course["dictionaries"], shown.dictionary);
    for (std::int64_t step = 0; step < shown.pictures.shape[0]; ++step) {
        std::map<ValueId, Tensor> given;
        for (const Feed& feed : graph.feeds) {
            const Shape& shape = graph.at(feed.value).shape;
            given[feed.value] = feed.kind == FeedKind::argument
                                    ? Tensor(DType::f64, {}, {case_.rate})
                                : shape.size() == 1 ? placeOf(shown.begins, step)
                                                    : placeOf(shown.pictures, step);
        }
        for (const Slot& slot : slotsOf(graph)) {
            const auto known = kept.find(slot.name);
            given[slot.value] =
                known == kept.end() ? Tensor(DType::f64, slot.shape) : known->second;
        }
        const auto values = evaluate(graph, oracle_, given);
        for (const Slot& slot : slotsOf(graph)) {
            if (!slot.next.isNone()) {
                kept[slot.name] = values.at(slot.next);
            }
        }
        for (const Result& result : graph.results) {
            if (result.kind == ResultKind::series) {
                appendNumbers(course[result.name.substr(3)], values.at(result.value));
            }
        }
        for (const auto& [port, value] : alone_.outputs) {
            appendNumbers(course[port], values.at(value));
        }
        appendNumbers(course["dictionaries"], kept["it.weight"]);
        if (const auto warm = kept.find("it.potential"); warm != kept.end()) {
            appendNumbers(course["potential"], warm->second);
        }
    }
    return course;
}

QString differenceOf(const Course& course, const QDir& folder, const LcaCase& of) {
    std::vector<std::pair<std::string, QString>> pairs = {{"code", "codes.npy"},
                                                          {"residual", "residuals.npy"},
                                                          {"reconstruction", "reconstructions.npy"},
                                                          {"energies", "energies.npy"},
                                                          {"dictionaries", "dictionaries.npy"}};
    if (of.oracle["start"] == "warm") {
        pairs.emplace_back("potential", "potentials.npy");
    }
    if (of.oracle.contains("step_rule")) {
        pairs.emplace_back("steps", "step_sizes.npy");
    }
    for (const auto& [ours, theirs] : pairs) {
        if (QString difference = differenceIn(course, ours, folder.filePath(theirs));
            !difference.isEmpty()) {
            return difference;
        }
    }
    return {};
}

} // namespace weft::test
