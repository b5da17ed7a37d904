// SPDX-License-Identifier: Apache-2.0
// How well codes explain photographs against how sparse they are, over thresholds: what a run tells
// of a dictionary that it has learned is what tests/oracle makes of the same pictures and atoms.
#include "contract/lca/lca_oracle.h"
#include "engine/data/real_data.h"
#include "sample.h"
#include "support/test_main.h"
#include <weft/catalogue.h>
#include <weft/pictures.h>
#include <weft/runs.h>

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

using namespace weft;
using namespace weft::test;

namespace {

constexpr std::int64_t shown = 4; ///< pictures for each threshold

/// A point of the curve: means over elements.
struct CurvePoint {
    double decibels = 0;
    double sparsity = 0;
};

Design naturalDesign() { return sampleDesign("lca-natural/design"); }

Layer& codeOf(Design& design) {
    return *std::ranges::find(design.network.layers, "code", &Layer::name);
}

SessionRequest requestIn(const QDir& folder, const char* run, Design design) {
    SessionRequest request{.design = std::move(design)};
    request.folder = sampleFile("lca-natural/design").parent_path();
    request.data = {realData("natural")->parent_path()};
    request.run = folder.filePath(run).toStdString();
    return request;
}

/// The mean of the last step's elements, as the run tells it.
double told(const Run& run, const char* metric) {
    const auto found = std::ranges::find_if(run.series, [&](const MetricSeries& series) {
        return series.metric.name == metric && series.split == Split::train;
    });
    return found == run.series.end() || found->values.empty() ? std::nan("") : found->values.back();
}

Tensor tensorOf(const TensorNumbers& numbers, const Shape& shape) {
    Tensor made(DType::f64, shape);
    for (std::int64_t k = 0; k < made.elements(); ++k) {
        made.set(k, static_cast<double>(numbers.numbers.at(static_cast<std::size_t>(k))));
    }
    return made;
}

double meanOf(const QString& path) {
    const std::vector<double> numbers = numbersIn(path);
    return std::accumulate(numbers.begin(), numbers.end(), 0.0) /
           static_cast<double>(numbers.size());
}

/// The same in the oracle's words.
LcaCase caseOf(const Attributes& layer) {
    LcaCase made;
    made.oracle = {{"iterations", double(layer.integer("iterations"))},
                   {"tau", layer.real("tau")},
                   {"threshold", layer.real("threshold")},
                   {"two_sided", layer.boolean("two_sided")},
                   {"transfer", "soft"},
                   {"start", "rest"},
                   {"stride", double(layer.integers("stride").front())}};
    return made;
}

} // namespace

class TestOracleCurve : public QObject {
    Q_OBJECT

private:
    QTemporaryDir folder_;
    std::filesystem::path weights_;
    std::vector<CurvePoint> curve_;

private Q_SLOTS:
    void initTestCase() {
        if (!hasNumpy()) {
            QSKIP("no numpy, which the oracle is written in (python3-numpy)");
        }
        if (!realData("natural")) {
            QSKIP("no photographs are here: set WEFT_DATA to the folder that holds natural/");
        }
        Design design = naturalDesign();
        design.training.epochs = 0;
        design.training.steps = 36;
        const SessionOutcome outcome =
            Session(requestIn(QDir(folder_.path()), "learned", design)).wait();
        QVERIFY2(outcome.state == SessionState::finished, outcome.message.c_str());
        const Run run = openRun(folder_.filePath("learned").toStdString());
        QVERIFY(!run.checkpoints.empty());
        weights_ = run.summary.folder / run.checkpoints.back().path;
    }

    void isWhereTheOracleIs_data() {
        QTest::addColumn<double>("threshold");
        for (const double threshold : {0.5, 0.75, 1.0, 2.0}) {
            QTest::addRow("threshold %g", threshold) << threshold;
        }
    }
    void isWhereTheOracleIs() {
        QFETCH(const double, threshold);
        const QDir at(folder_.path());
        const QByteArray name = "at" + QByteArray::number(threshold);
        Design design = naturalDesign();
        Attributes& layer = codeOf(design).attributes;
        layer.set("threshold", threshold);
        layer.set("frozen", true);
        const LcaCase of = caseOf(layer);
        design.data.batch = shown;
        design.training.epochs = 0;
        design.training.steps = 1;
        SessionRequest request = requestIn(at, name, design);
        request.weights = weights_;
        request.observe = {"picture"};
        const SessionOutcome outcome = Session(std::move(request)).wait();
        QVERIFY2(outcome.state == SessionState::finished, outcome.message.c_str());
        const Run run = openRun(at.filePath(name).toStdString());
        const CurvePoint ours{told(run, "code.signal_to_noise"), told(run, "code.sparsity")};

        const TensorNumbers pictures =
            readTensor(run.summary.folder / "tensors" / "step-000000001.picture.y.npy");
        const TensorNumbers dictionary = readTensor(weights_, "code.weight");
        Shape seen = pictures.shape;
        QCOMPARE(seen.front(), shown);
        seen.insert(seen.begin(), 1);
        const QTemporaryDir work;
        const QString failure =
            askOracle(QDir(work.path()), of,
                      {tensorOf(pictures, seen), tensorOf(dictionary, dictionary.shape), {}});
        QVERIFY2(failure.isEmpty(), qPrintable(failure));
        const CurvePoint theirs{meanOf(work.filePath("signal_to_noise.npy")),
                                meanOf(work.filePath("sparsity.npy"))};
        const auto agree = [&](const char* what, double is, double wanted) {
            QVERIFY2(std::abs(is - wanted) <= 0.02 * std::abs(wanted),
                     QByteArray(what) + " " + QByteArray::number(is) + ", and the oracle has " +
                         QByteArray::number(wanted));
        };
        agree("signal to noise", ours.decibels, theirs.decibels);
        agree("sparsity", ours.sparsity, theirs.sparsity);
        agree("activity", 1 - ours.sparsity, 1 - theirs.sparsity);
        qInfo("threshold %g: %.3f dB at a sparsity of %.4f; the oracle %.3f dB at %.4f", threshold,
              ours.decibels, ours.sparsity, theirs.decibels, theirs.sparsity);
        curve_.push_back(ours);
    }

    void sparserCodesExplainLess() {
        QCOMPARE(curve_.size(), std::size_t{4});
        for (std::size_t k = 1; k < curve_.size(); ++k) {
            QVERIFY(curve_[k].sparsity > curve_[k - 1].sparsity);
            QVERIFY(curve_[k].decibels < curve_[k - 1].decibels);
        }
    }
};

std::unique_ptr<QObject> makeTestOracleCurve() { return std::make_unique<TestOracleCurve>(); }
#include "tst_oracle_curve.moc"
