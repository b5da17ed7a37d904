// SPDX-License-Identifier: Apache-2.0
// Sparse coding against tests/oracle: the same pictures, dictionary and numbers, in double, over
// several frames and updates of the dictionary.
#include "contract/lca/lca_oracle.h"
#include "support/test_main.h"
#include <weft/samples.h>

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <vector>

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::int64_t elements = 3;
constexpr std::int64_t frames = 6;

/// Shape of one dictionary, or of several if they are not shared.
Shape dictionaryOf(const LcaCase& of) {
    const auto has = [&](const char* name) {
        const AttributeValue* value = of.layer.find(name);
        return value != nullptr && std::get<bool>(*value);
    };
    Shape shape{codedAtoms, 2, 6, 4};
    if (has("per_position")) {
        shape.insert(shape.begin(), {4, 3});
    }
    if (has("per_element")) {
        shape.insert(shape.begin(), elements);
    }
    return shape;
}

/// Drawn numbers, a film that begins anew for one element and another.
LcaShown drawnNumbers(const LcaCase& of) {
    LcaShown shown{.pictures = drawNormal(DType::f64, {frames, elements, 2, 8, 6}, 7, "pictures"),
                   .dictionary = drawnDictionary(dictionaryOf(of)),
                   .begins = Tensor(DType::f64, {frames, elements})};
    shown.begins.set(2 * elements + 1, 1);
    shown.begins.set(4 * elements, 1);
    return shown;
}

/// Films of the source `textures`, as a run is shown them: each element sees two of them, one
/// behind the other, for ten updates; two frames of a film are an example's channels.
LcaShown drawnTextures() {
    constexpr std::int64_t updates = 10;
    constexpr std::int64_t span = 2;
    constexpr std::int64_t films = 2 * elements;
    const Shape picture{span, 16, 12};
    SampleRequest request;
    request.data.source = "textures";
    request.data.attributes = {{"size", Shape{picture[1], picture[2]}},
                               {"films", films},
                               {"count", films * (updates / 2 + span - 1)},
                               {"frames", span},
                               {"speed", 1.5}};
    const Samples samples = readSamples(request, SampleSet::training, 0, elements * updates);
    const auto numbersOf = [&](const char* field) -> const std::vector<float>& {
        return std::ranges::find(samples.fields, field, &TensorNumbers::name)->numbers;
    };
    const std::vector<float>& images = numbersOf("images");
    const std::vector<float>& begins = numbersOf("begins");
    LcaShown shown{.pictures =
                       Tensor(DType::f64, {updates, elements, picture[0], picture[1], picture[2]}),
                   .dictionary = drawnDictionary({codedAtoms, span, 6, 4}),
                   .begins = Tensor(DType::f64, {updates, elements})};
    const std::int64_t size = elementsOf(picture);
    for (std::int64_t step = 0; step < updates; ++step) {
        for (std::int64_t element = 0; element < elements; ++element) {
            const std::int64_t example = element * updates + step;
            const std::int64_t place = step * elements + element;
            shown.begins.set(place,
                             static_cast<double>(begins.at(static_cast<std::size_t>(example))));
            for (std::int64_t k = 0; k < size; ++k) {
                shown.pictures.set(
                    place * size + k,
                    static_cast<double>(images.at(static_cast<std::size_t>(example * size + k))));
            }
        }
    }
    return shown;
}

void isAsTheOracleSays(const LcaCase& of, const LcaShown& shown) {
    LcaWalk walk(of, shown.pictures.shape);
    QVERIFY(walk.refusals().empty());
    const QTemporaryDir folder;
    const QString failure = askOracle(QDir(folder.path()), of, shown);
    QVERIFY2(failure.isEmpty(), qPrintable(failure));
    const Course course = walk.run(shown);
    const QString difference = differenceOf(course, QDir(folder.path()), of);
    QVERIFY2(difference.isEmpty(), qPrintable(difference));
    // Codes that are all alike would prove little.
    const auto [least, most] = std::ranges::minmax(course.at("code"));
    QVERIFY(most - least > 0.1);
}

} // namespace

class TestLca : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (!hasNumpy()) {
            QSKIP("no numpy, which the oracle is written in (python3-numpy)");
        }
    }

    void isWhatTheEquationsSay_data() {
        QTest::addColumn<LcaCase>("of");
        QTest::newRow("soft") << usualCase();
        LcaCase hard = usualCase();
        say(hard, "transfer", "hard");
        sayWhether(hard, "two_sided", true);
        QTest::newRow("hard, two-sided") << hard;
        LcaCase firm = usualCase();
        say(firm, "transfer", "firm");
        say(firm, "width", 0.4);
        sayWhether(firm, "self_interaction", false);
        QTest::newRow("firm, without itself") << firm;
        LcaCase general = usualCase();
        say(general, "transfer", "general");
        say(general, "shift", 0.1);
        say(general, "width", 0.5);
        say(general, "minimum", -0.05);
        say(general, "maximum", 0.45);
        QTest::newRow("general, cut") << general;
        LcaCase points = usualCase();
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
        QTest::newRow("basic steps") << adaptiveCase("basic");
        LcaCase knee = adaptiveCase("knee");
        say(knee, "knee_threshold", 0.9);
        say(knee, "knee_slope", 0.2);
        QTest::newRow("knee") << knee;
        LcaCase log = adaptiveCase("log");
        say(log, "log_threshold", 1.6);
        say(log, "log_slope", 0.3);
        say(log, "energy", "lagged");
        QTest::newRow("log, energies lagging") << log;
    }
    static void addLearning() {
        LcaCase momentum = usualCase();
        say(momentum, "variant", "momentum");
        say(momentum, "momentum_rate", 0.3);
        say(momentum, "momentum_method", "viscosity");
        say(momentum, "momentum_constant", 2.0);
        say(momentum, "weight_decay", 0.02);
        QTest::newRow("momentum everywhere") << momentum;
        LcaCase ista = usualCase();
        say(ista, "variant", "ista");
        say(ista, "momentum_method", "alex");
        ista.oracle["momentum_constant"] = 0.9;
        say(ista, "weight_decay", 0.2);
        say(ista, "count", "activations");
        QTest::newRow("ista, per activation") << ista;
        LcaCase rest = usualCase();
        say(rest, "start", "rest");
        rest.layer.set("rest", 0.25);
        rest.oracle["rest_value"] = 0.25;
        say(rest, "count", "per_weight");
        say(rest, "momentum_method", "simple");
        rest.oracle["momentum_constant"] = 0.25;
        QTest::newRow("from rest, per weight") << rest;
        LcaCase films = usualCase();
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
            const auto row = [&](const char* name, const LcaCase& of) {
                LcaCase shared = of;
                shared.layer.set("per_element", sharing.perElement);
                shared.layer.set("per_position", sharing.perPosition);
                QTest::addRow("%s: %s", sharing.name, name) << shared;
            };
            row("soft", usualCase());
            LcaCase positions = adaptiveCase("basic");
            say(positions, "count", "positions");
            say(positions, "variant", "momentum");
            say(positions, "momentum_rate", 0.3);
            row("counted by positions, adaptive", positions);
            LcaCase activations = usualCase();
            say(activations, "count", "activations");
            say(activations, "momentum_method", "viscosity");
            say(activations, "momentum_constant", 2.0);
            say(activations, "weight_decay", 0.02);
            row("counted by activations, with momentum", activations);
            LcaCase taps = usualCase();
            taps.begins = true;
            say(taps, "count", "per_weight");
            row("counted by taps, films that begin", taps);
        }
    }

private Q_SLOTS:
    void isWhatTheEquationsSay() {
        QFETCH(LcaCase, of);
        isAsTheOracleSays(of, drawnNumbers(of));
    }

    void isSoOnTextures_data() {
        QTest::addColumn<LcaCase>("of");
        LcaCase soft = adaptiveCase("basic");
        soft.begins = true;
        QTest::newRow("soft, basic steps, per element") << soft;
        LcaCase hard = adaptiveCase("knee");
        say(hard, "transfer", "hard");
        sayWhether(hard, "two_sided", true);
        say(hard, "knee_threshold", 0.9);
        say(hard, "knee_slope", 0.2);
        say(hard, "count", "activations");
        hard.begins = true;
        QTest::newRow("hard, knee, per activation") << hard;
        LcaCase firm = adaptiveCase("log");
        say(firm, "transfer", "firm");
        say(firm, "width", 0.4);
        say(firm, "log_threshold", 1.6);
        say(firm, "log_slope", 0.3);
        say(firm, "energy", "lagged");
        say(firm, "count", "positions");
        say(firm, "momentum_method", "viscosity");
        say(firm, "momentum_constant", 2.0);
        firm.begins = true;
        QTest::newRow("firm, log, lagging, per position") << firm;
        LcaCase rest = usualCase();
        say(rest, "start", "rest");
        sayWhether(rest, "two_sided", true);
        say(rest, "count", "per_weight");
        say(rest, "momentum_method", "simple");
        rest.oracle["momentum_constant"] = 0.25;
        QTest::newRow("from rest, fixed steps, per weight") << rest;
    }
    /// Potentials, codes, energies and steps of every round, and ten updates.
    void isSoOnTextures() {
        QFETCH(LcaCase, of);
        const LcaShown shown = drawnTextures();
        // Each element's first film ends half way.
        QCOMPARE(shown.begins.at(0), 1.0);
        QCOMPARE(shown.begins.at(4 * elements), 0.0);
        QCOMPARE(shown.begins.at(5 * elements), 1.0);
        isAsTheOracleSays(of, shown);
    }
};

std::unique_ptr<QObject> makeTestLca() { return std::make_unique<TestLca>(); }
#include "tst_lca.moc"
