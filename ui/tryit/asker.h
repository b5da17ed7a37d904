// SPDX-License-Identifier: Apache-2.0
#pragma once
// Runs inference with a trained network on a separate thread; only the newest question is processed
// and outdated answers are dropped. Lives on the GUI thread.

#include "tryit/class_scores.h"
#include "tryit/typical_picture.h"
#include <weft/infer.h>
#include <weft/samples.h>

#include <QImage>
#include <QObject>
#include <QTemporaryDir>
#include <QThreadPool>
#include <functional>
#include <memory>

namespace weft::ui {

struct TrainedNetwork {
    Design design;
    std::filesystem::path weights;                  ///< checkpoint file
    std::filesystem::path folder = {};              ///< search folder of the design's files
    std::vector<std::filesystem::path> others = {}; ///< further search folders
    [[nodiscard]] SampleRequest data() const { return {design.data, folder, others}; }
    [[nodiscard]] bool hasWeights() const { return !weights.empty(); }
};

/// The inputs of a network, and the typical form of its training pictures.
struct NetworkInputs {
    InferenceForm form;
    TypicalPicture typical; ///< typical form of the training pictures
    /// Whether the network's only input is a picture or a text.
    [[nodiscard]] bool isPicture() const { return !picture.empty(); }
    [[nodiscard]] bool isText() const;
    Shape picture = {}; ///< shape of the input; empty: it is no picture
};

/// Result of an evaluation on examples.
struct EvaluationResult {
    ClassScores scores;
    std::vector<std::string> classNames;
    TensorNumbers inputs; ///< the examples
    SampleSet set = SampleSet::validation;
};

class Asker : public QObject {
    Q_OBJECT

public:
    explicit Asker(QObject* parent = nullptr);
    ~Asker() override;

    /// Returns true if the network or its data folders have changed; `described` is emitted later.
    bool setNetwork(TrainedNetwork network);
    void askPicture(const std::string& layer, const QImage& picture);
    /// Asks with the numbers of one example, for example ids of characters.
    void askNumbers(const std::string& layer, const Shape& shape, std::vector<float> numbers);
    /// Evaluates `count` held-out examples with one class each.
    void evaluate(const InferenceForm& form, std::int64_t count);
    [[nodiscard]] bool isBusy() const { return isBusy_; }

Q_SIGNALS:
    void described(const std::shared_ptr<const weft::ui::NetworkInputs>& asked);
    void answered(const std::shared_ptr<const weft::InferenceResult>& answer);
    void evaluated(const std::shared_ptr<const weft::ui::EvaluationResult>& result);
    void failed(const QString& message);

private:
    using Job = std::function<std::function<void()>()>; ///< runs off-thread; the function that it
                                                        ///< returns runs on the GUI thread
    void runJob(Job job);
    void runNextJob();
    void describeNetwork();

    TrainedNetwork network_;
    QTemporaryDir folder_;
    QThreadPool pool_;
    Job waitingJob_;
    bool isBusy_ = false;
    int requestNumber_ = 0;
    int networkNumber_ = 0; ///< identifies the network, so that answers of earlier ones are dropped
};

} // namespace weft::ui
