// SPDX-License-Identifier: Apache-2.0
// Sparse coding against tests/oracle: the same pictures, dictionary and numbers, in double, over
// several frames and updates of the dictionary.
#include "contract/lowered_alone.h"
#include "data/arrays/npy.h"
#include "support/evaluate.h"
#include "support/places.h"
#include "support/test_main.h"
#include "transform/optimize_step.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <cstring>

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::int64_t elements = 3;
constexpr std::int64_t frames = 6;
constexpr std::int64_t atoms = 7;
constexpr std::int64_t rounds = 9;

/// One case in both languages: what the layer is told, and what the oracle is.
struct Case {
    Attributes layer;
    QJsonObject oracle;
    bool begins = false;
    double rate = 0.1;
    bool perElement = false; ///< a dictionary for each
    bool perPosition = false;

    [[nodiscard]] Shape dictionary() const {
        Shape shape{atoms, 2, 6, 4};
        if (perPosition) {
            shape.insert(shape.begin(), {4, 3});
        }
        if (perElement) {
            shape.insert(shape.begin(), elements);
        }
        return shape;
    }
};

Case withSets(Case of, bool perElement, bool perPosition) {
    of.perElement = perElement;
    of.perPosition = perPosition;
    of.layer.set("per_element", perElement);
    of.layer.set("per_position", perPosition);
    return of;
}

Case usual() {
    Case made;
    made.layer = {{"atoms", atoms},
                  {"kernel", Shape{6, 4}},
                  {"stride", Shape{2, 2}},
                  {"iterations", rounds},
                  {"tau", 4.0},
                  {"threshold", 0.3},
                  {"start", std::string("warm")}};
    made.oracle = {{"iterations", double(rounds)},
                   {"tau", 4.0},
                   {"threshold", 0.3},
                   {"transfer", "soft"},
                   {"learn", true},
                   {"rate", 0.1},
                   {"start", "warm"},
                   {"stride", 2}};
    return made;
}

/// The same key on both sides.
void say(Case& to, const char* key, double value) {
    to.layer.set(key, value);
    to.oracle[key] = value;
}
void say(Case& to, const char* key, const char* word) {
    to.layer.set(key, std::string(word));
    to.oracle[key] = word;
}
void sayWhether(Case& to, const char* key, bool is) {
    to.layer.set(key, is);
    to.oracle[key] = is;
}

Case adaptive(const char* rule) {
    Case made = usual();
    say(made, "step_rule", rule);
    say(made, "base_minimum", 0.4);
    say(made, "base_maximum", 0.8);
    say(made, "tau_factor", 0.2);
    say(made, "growth_factor", 0.3);
    return made;
}

QString python() {
    // The system's own has the packages; another may stand before it on the path.
    return QFileInfo::exists("/usr/bin/python3") ? "/usr/bin/python3" : "python3";
}

std::vector<double> numbersIn(const QString& path) {
    const Array array = readNpy(path.toStdString(), DType::f64);
    std::vector<double> numbers(array.bytes.size() / sizeof(double));
    std::memcpy(numbers.data(), array.bytes.data(), array.bytes.size());
    return numbers;
}

void write(const QString& path, const Tensor& tensor) {
    const Tensor plain = tensor.as(DType::f64);
    writeNpy(path.toStdString(), DType::f64, plain.shape, plain.bytes);
}

/// Over so many steps, each array one behind the other.
using Course = std::map<std::string, std::vector<double>>;

class Walk {
public:
    explicit Walk(const Case& of) : case_(of) {
        const LayerKind* kind = lowerings_.layers().find("lca");
        LayerSample sample{.inputs = {{elements, 2, 8, 6}}, .attributes = of.layer};
        if (of.begins) {
            sample.inputs.push_back({elements});
        }
        sample.dtypes.assign(sample.inputs.size(), DType::f64);
        alone_ = lowerings_.lower(*kind, sample, Mode::train);
        TrainingSettings settings;
        optimizeStep(alone_.graph, lowerings_.ops(), settings);
        verify(alone_.graph);
    }

    [[nodiscard]] const Alone& alone() const { return alone_; }

    Course run(const Tensor& pictures, const Tensor& dictionary, const Tensor& begins) {
        Graph& graph = alone_.graph;
        std::map<std::string, Tensor> kept;
        kept["it.weight"] = dictionary;
        Course course;
        append(course["dictionaries"], dictionary);
        for (std::int64_t step = 0; step < frames; ++step) {
            std::map<ValueId, Tensor> given;
            for (const Feed& feed : graph.feeds) {
                const Shape& shape = graph.at(feed.value).shape;
                given[feed.value] = feed.kind == FeedKind::argument
                                        ? Tensor(DType::f64, {}, {case_.rate})
                                    : shape.size() == 1 ? at(begins, step)
                                                        : at(pictures, step);
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
                    append(course[result.name.substr(3)], values.at(result.value));
                }
            }
            for (const auto& [port, value] : alone_.outputs) {
                append(course[port], values.at(value));
            }
            append(course["dictionaries"], kept["it.weight"]);
            if (const auto warm = kept.find("it.potential"); warm != kept.end()) {
                append(course["potential"], warm->second);
            }
        }
        return course;
    }

private:
    static Tensor at(const Tensor& all, std::int64_t step) {
        Shape begin(all.shape.size());
        begin[0] = step;
        Shape shape = all.shape;
        shape[0] = 1;
        Tensor one = sliceOf(all, begin, shape);
        one.shape.erase(one.shape.begin());
        return one;
    }
    static void append(std::vector<double>& to, const Tensor& tensor) {
        const std::vector<double> numbers = tensor.numbers();
        to.insert(to.end(), numbers.begin(), numbers.end());
    }

    const Case& case_;
    Lowerings lowerings_;
    Oracle oracle_;
    Alone alone_;
};

} // namespace

class TestLca : public QObject {
    Q_OBJECT

private:
    static void compare(const Course& course, const std::string& ours, const QString& theirs) {
        const std::vector<double> expected = numbersIn(theirs);
        const auto found = course.find(ours);
        QVERIFY2(found != course.end(), ours.c_str());
        QCOMPARE(found->second.size(), expected.size());
        double largest = 0;
        for (const double number : expected) {
            largest = std::max(largest, std::abs(number));
        }
        for (std::size_t k = 0; k < expected.size(); ++k) {
            const double difference = std::abs(found->second[k] - expected[k]);
            QVERIFY2(difference <= 1e-9 * std::max(1.0, largest),
                     qPrintable(QStringLiteral("%1 %2: %3, and the oracle has %4")
                                    .arg(QString::fromStdString(ours))
                                    .arg(k)
                                    .arg(found->second[k], 0, 'g', 12)
                                    .arg(expected[k], 0, 'g', 12)));
        }
    }

private Q_SLOTS:
    void initTestCase() {
        QProcess process;
        process.start(python(), {"-c", "import numpy"});
        if (!process.waitForFinished() || process.exitCode() != 0) {
            QSKIP("no numpy, which the oracle is written in (python3-numpy)");
        }
    }

    void isWhatTheEquationsSay_data() {
        QTest::addColumn<Case>("of");
        QTest::newRow("soft") << usual();
        Case hard = usual();
        say(hard, "transfer", "hard");
        sayWhether(hard, "two_sided", true);
        QTest::newRow("hard, two-sided") << hard;
        Case firm = usual();
        say(firm, "transfer", "firm");
        say(firm, "width", 0.4);
        sayWhether(firm, "self_interaction", false);
        QTest::newRow("firm, without itself") << firm;
        Case general = usual();
        say(general, "transfer", "general");
        say(general, "shift", 0.1);
        say(general, "width", 0.5);
        say(general, "minimum", -0.05);
        say(general, "maximum", 0.45);
        QTest::newRow("general, cut") << general;
        Case points = usual();
        say(points, "transfer", "points");
        points.oracle.remove("threshold");
        points.layer.set("threshold", 0.5); // as it is where nothing is said
        points.layer.set("points_v", std::vector<double>{-0.2, 0.2, 0.2, 0.9});
        points.layer.set("points_a", std::vector<double>{0.0, 0.0, 0.1, 0.5});
        points.oracle["vertices_v"] = QJsonArray{-0.2, 0.2, 0.2, 0.9};
        points.oracle["vertices_a"] = QJsonArray{0.0, 0.0, 0.1, 0.5};
        say(points, "slope_below", 0.3);
        say(points, "slope_above", 0.0);
        QTest::newRow("points") << points;
        addDynamics();
        addLearning();
        addSets();
    }

private:
    static void addDynamics() {
        QTest::newRow("basic steps") << adaptive("basic");
        Case knee = adaptive("knee");
        say(knee, "knee_threshold", 0.9);
        say(knee, "knee_slope", 0.2);
        QTest::newRow("knee") << knee;
        Case log = adaptive("log");
        say(log, "log_threshold", 1.6);
        say(log, "log_slope", 0.3);
        say(log, "energy", "lagged");
        QTest::newRow("log, energies lagging") << log;
    }
    static void addLearning() {
        Case momentum = usual();
        say(momentum, "variant", "momentum");
        say(momentum, "momentum_rate", 0.3);
        say(momentum, "momentum_method", "viscosity");
        say(momentum, "momentum_constant", 2.0);
        say(momentum, "weight_decay", 0.02);
        QTest::newRow("momentum everywhere") << momentum;
        Case ista = usual();
        say(ista, "variant", "ista");
        say(ista, "momentum_method", "alex");
        ista.oracle["momentum_constant"] = 0.9;
        say(ista, "weight_decay", 0.2);
        say(ista, "count", "activations");
        QTest::newRow("ista, per activation") << ista;
        Case rest = usual();
        say(rest, "start", "rest");
        rest.layer.set("rest", 0.25);
        rest.oracle["rest_value"] = 0.25;
        say(rest, "count", "per_weight");
        say(rest, "momentum_method", "simple");
        rest.oracle["momentum_constant"] = 0.25;
        QTest::newRow("from rest, per weight") << rest;
        Case films = usual();
        films.begins = true;
        say(films, "count", "positions");
        QTest::newRow("films that begin, per position") << films;
    }
    static void addSets() {
        struct Sharing {
            const char* name;
            bool perElement, perPosition;
        };
        for (const Sharing& sharing :
             {Sharing{"per element", true, false}, Sharing{"per position", false, true},
              Sharing{"per element and position", true, true}}) {
            const auto row = [&](const char* name, const Case& of) {
                QTest::addRow("%s: %s", sharing.name, name)
                    << withSets(of, sharing.perElement, sharing.perPosition);
            };
            row("soft", usual());
            Case positions = adaptive("basic");
            say(positions, "count", "positions");
            say(positions, "variant", "momentum");
            say(positions, "momentum_rate", 0.3);
            row("counted by positions, adaptive", positions);
            Case activations = usual();
            say(activations, "count", "activations");
            say(activations, "momentum_method", "viscosity");
            say(activations, "momentum_constant", 2.0);
            say(activations, "weight_decay", 0.02);
            row("counted by activations, with momentum", activations);
            Case taps = usual();
            taps.begins = true;
            say(taps, "count", "per_weight");
            row("counted by taps, films that begin", taps);
        }
    }

private Q_SLOTS:
    void isWhatTheEquationsSay() {
        QFETCH(Case, of);
        Walk walk(of);
        QVERIFY(walk.alone().refusals.empty());
        const Tensor pictures = drawNormal(DType::f64, {frames, elements, 2, 8, 6}, 7, "pictures");
        Tensor dictionary = drawNormal(DType::f64, of.dictionary(), 7, "dictionary");
        for (std::int64_t k = 0; k < dictionary.elements(); ++k) {
            dictionary.set(k, dictionary.at(k) / 7);
        }
        Tensor begins(DType::f64, {frames, elements});
        begins.set(2 * elements + 1, 1);
        begins.set(4 * elements, 1);

        const QTemporaryDir folder;
        const QDir at(folder.path());
        write(at.filePath("frames.npy"), pictures);
        write(at.filePath("dictionary.npy"), dictionary);
        of.oracle["elements"] = double(elements);
        of.oracle["steps"] = double(frames);
        if (of.begins) {
            write(at.filePath("begins.npy"), begins);
        }
        QFile file(at.filePath("case.json"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QJsonDocument(of.oracle).toJson());
        file.close();
        QProcess process;
        process.start(python(),
                      {QString::fromStdString(sourceFolder().string()) + "/tests/oracle/lca.py",
                       folder.path()});
        QVERIFY(process.waitForFinished());
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());

        const Course course = walk.run(pictures, dictionary, begins);
        compare(course, "code", at.filePath("codes.npy"));
        compare(course, "residual", at.filePath("residuals.npy"));
        compare(course, "reconstruction", at.filePath("reconstructions.npy"));
        compare(course, "energies", at.filePath("energies.npy"));
        compare(course, "dictionaries", at.filePath("dictionaries.npy"));
        if (of.oracle["start"] == "warm") {
            compare(course, "potential", at.filePath("potentials.npy"));
        }
        if (of.oracle.contains("step_rule")) {
            compare(course, "steps", at.filePath("step_sizes.npy"));
        }
    }
};

std::unique_ptr<QObject> makeTestLca() { return std::make_unique<TestLca>(); }
#include "tst_lca.moc"
