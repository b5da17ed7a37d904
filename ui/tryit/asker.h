// SPDX-License-Identifier: Apache-2.0
#pragma once
// Asks a trained network on a thread of its own: only the newest question is worked on, an answer
// to an older one is dropped. Lives on the GUI thread.

#include "tryit/class_scores.h"
#include "tryit/picture_habit.h"
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
    std::filesystem::path weights;
    std::filesystem::path dataFolder;
    [[nodiscard]] bool isThere() const { return !weights.empty(); }
};

/// How a network is asked, and how the pictures lie that it was trained on.
struct Asked {
    InferenceForm form;
    PictureHabit habit;
    /// The one input that an image or a text fits; empty: neither.
    [[nodiscard]] bool isPicture() const { return !picture.empty(); }
    [[nodiscard]] bool isText() const;
    Shape picture = {};
};

/// What evaluating on examples came to.
struct Evaluated {
    ClassScores scores;
    std::vector<std::string> classNames;
    TensorNumbers inputs; ///< the examples themselves
    SampleSet set = SampleSet::validation;
};

class Asker : public QObject {
    Q_OBJECT

public:
    explicit Asker(QObject* parent = nullptr);
    ~Asker() override;

    /// Whether it is another network, or its data lies elsewhere: `described` will tell of it.
    bool setNetwork(TrainedNetwork network);
    void askPicture(const std::string& layer, const QImage& picture);
    /// Numbers of one example, such as ids of characters.
    void askNumbers(const std::string& layer, const Shape& shape, std::vector<float> numbers);
    /// So many examples that were held out, each with the one class that it has.
    void evaluate(const InferenceForm& form, std::int64_t count);
    [[nodiscard]] bool isBusy() const { return isBusy_; }

Q_SIGNALS:
    void described(const std::shared_ptr<const weft::ui::Asked>& asked);
    void answered(const std::shared_ptr<const weft::InferenceResult>& answer);
    void evaluated(const std::shared_ptr<const weft::ui::Evaluated>& result);
    void failed(const QString& message);

private:
    using Job =
        std::function<std::function<void()>()>; ///< off-thread; what it hands back is run here
    void run(Job job);
    void next();
    void describe();

    TrainedNetwork network_;
    QTemporaryDir folder_;
    QThreadPool pool_;
    Job waiting_;
    bool isBusy_ = false;
    int asked_ = 0;
    int networks_ = 0; ///< counted, so that what is said of an earlier one is dropped
};

} // namespace weft::ui
