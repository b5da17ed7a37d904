// SPDX-License-Identifier: Apache-2.0
// A training that fails saves its last reported step, including the work due after that step.
#include "compile/registry.h"
#include "run/checkpoint/checkpoint.h"
#include "run/train/training_run.h"
#include <weft/design_file.h>
#include <weft/error.h>

#include <QTemporaryDir>
#include <QTest>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

using namespace weft;

namespace {

const char* const text = R"({"weft": 1, "name": "dense",
 "data": {"source": {"kind": "random", "with": {"shape": [6], "classes": 4, "count": 40}},
  "feeds": {"x": "images", "digit": "labels"}, "batch": 6, "validation": 0.3},
 "training": {"optimizer": {"kind": "sgd", "with": {"momentum": 0.9}}, "learning_rate": 0.2,
  "steps": 6, "evaluate_every": 2, "checkpoint_every": 100},
 "layers": [
  {"id": 1, "name": "x", "kind": "input", "with": {"shape": [6]}},
  {"id": 2, "name": "fc", "kind": "dense", "with": {"units": 4}},
  {"id": 3, "name": "digit", "kind": "input", "with": {"dtype": "i64", "shape": []}},
  {"id": 4, "name": "loss", "kind": "softmax_cross_entropy"}],
 "wires": ["x.y -> fc.x", "fc.y -> loss.logits", "digit.y -> loss.target"]})";

using Heard = std::vector<std::tuple<std::int64_t, std::string, double>>;

/// Hears the numbers of every step, and fails as a rank does whose peer is lost.
class Listener final : public TrainerListener {
public:
    Listener(std::int64_t failsAt, std::string failsIn)
        : failsAt_(failsAt), failsIn_(std::move(failsIn)) {}

    void onStep(const StepReport& report, const WorkerPool& /*pool*/,
                std::size_t /*member*/) override {
        hear(report, "train");
    }
    void onEvaluation(const StepReport& report) override { hear(report, "evaluate"); }
    void onCheckpoint(std::int64_t /*step*/, const std::string& /*path*/) override {}
    void onMessage(const std::string& /*text*/) override {}

    [[nodiscard]] const Heard& heard() const { return heard_; }

private:
    void hear(const StepReport& report, const char* split) {
        if (report.step == failsAt_ && failsIn_ == split) {
            throw Error(ErrorCode::peer, {}, "rank 0 is lost", "");
        }
        heard_.emplace_back(report.step, split, report.loss);
    }

    std::int64_t failsAt_;
    std::string failsIn_;
    Heard heard_;
};

} // namespace

class TestRescue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        registry_ = makeRegistry();
        design_ = parseDesign(text, registry_->kinds).design;
    }

    void anEvaluationThatWasDueIsMadeWhenTheRunGoesOn() {
        Listener whole(-1, "");
        train(whole);
        Listener first(4, "evaluate");
        const std::filesystem::path saved = savedBy(first);
        QVERIFY(readCheckpointState(saved).isEvaluationDue);
        QCOMPARE(readCheckpointState(saved).step, 4);
        Listener second(-1, "");
        train(second, saved);
        Heard both = first.heard();
        both.insert(both.end(), second.heard().begin(), second.heard().end());
        QVERIFY(both == whole.heard());
        QCOMPARE(std::get<1>(second.heard().front()), std::string("evaluate"));
    }

    void aStepThatWasNotToldIsNotSaved() {
        Listener first(5, "train");
        const auto run = made({});
        run->addListener(first);
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(run->train()));
        QCOMPARE(run->steps(), 4);
        // The weights are those of step 5, which nobody was told of.
        QVERIFY_THROWS_EXCEPTION(Error, static_cast<void>(run->rescue()));
        QVERIFY(std::filesystem::is_empty(folder()));
    }

private:
    [[nodiscard]] std::filesystem::path folder() const { return folder_->path().toStdString(); }
    [[nodiscard]] std::unique_ptr<TrainingRun> made(const std::filesystem::path& from) const {
        RunRequest wanted{.design = &design_, .registry = registry_.get(), .devices = {"cpu:0"}};
        wanted.local = {0};
        wanted.backend = "reference";
        wanted.checkpoint = from;
        auto run = std::make_unique<TrainingRun>(std::move(wanted));
        run->keepCheckpoints(folder());
        return run;
    }
    void train(Listener& listener, const std::filesystem::path& from = {}) const {
        const auto run = made(from);
        run->addListener(listener);
        static_cast<void>(run->train());
        std::filesystem::remove(folder() / "step-000000006.safetensors");
    }
    /// The checkpoint that a training which fails leaves.
    [[nodiscard]] std::filesystem::path savedBy(Listener& listener) const {
        const auto run = made({});
        run->addListener(listener);
        try {
            static_cast<void>(run->train());
        } catch (const Error&) {
            return folder().parent_path() / run->rescue();
        }
        return {};
    }

    std::unique_ptr<QTemporaryDir> folder_;
    std::unique_ptr<const Registry> registry_;
    Design design_;
};

std::unique_ptr<QObject> makeTestRescue() { return std::make_unique<TestRescue>(); }
#include "tst_rescue.moc"
