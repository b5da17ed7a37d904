// SPDX-License-Identifier: Apache-2.0
#pragma once
// Weights, gradients and activations of the selected layer, as a picture, a histogram and numbers:
// TensorsView(look, hub, control) with the RunHub of the run and the RunControl that asks it to
// observe; `follow(document, selection)` says whose selection. Of a layer whose elements are
// networks of their own, a column per element instead. Files are read on another thread.

#include "session/run_control.h"
#include "session/run_hub.h"
#include "session/run_prediction.h"
#include "session/selection.h"
#include "session/watched_values.h"
#include "tensors/number_model.h"
#include "tensors/sparse_view.h"
#include "tensors/tensor_picture.h"

#include <QPointer>
#include <QThreadPool>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QListWidget;
class QStackedWidget;
class QTabWidget;
class QToolButton;

namespace weft::ui {

class TensorsView : public QWidget {
    Q_OBJECT

public:
    TensorsView(const Look& look, const RunHub& hub, RunControl& control,
                QWidget* parent = nullptr);
    ~TensorsView() override;

    void follow(DesignDocument* document, Selection* selection);
    /// Tells which device holds which element.
    void placeBy(const RunPrediction& prediction);
    [[nodiscard]] const std::vector<WatchedValue>& values() const { return values_; }
    [[nodiscard]] const TensorPicture& picture() const { return *picture_; }
    [[nodiscard]] const HistogramPlot& histogram() const { return *histogram_; }
    [[nodiscard]] const NumberModel& numbers() const { return *numbers_; }
    [[nodiscard]] SparseView& sparse() { return *sparse_; }
    /// "code.weight.png": where nobody says another.
    [[nodiscard]] QString nameToSave() const;
    /// What is shown: as one picture, or its numbers, by the ending. Error where it cannot be
    /// written.
    void exportTo(const QString& file) const;
    /// Whether a column per element is shown.
    [[nodiscard]] bool isInColumns() const;

Q_SIGNALS:
    /// What was asked for last is shown.
    void shown();
    void exportWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Read;
    void grow(const RunGrowth& growth);
    /// Else it is asked for, while this is seen.
    [[nodiscard]] bool isHere(const std::filesystem::path& file);
    /// And all that belongs to the step that it shows.
    [[nodiscard]] bool isWhole(const WatchedValue& value);
    [[nodiscard]] QString whyAway(const std::filesystem::path& file) const;
    void readNames();
    void fill();
    void fillColumns();
    void read();
    void take(int number, const Read& read);
    void observe();
    /// A living run's columns go on while they are seen: not before the last was answered.
    void observeAgain();
    void permit();
    /// What is shown; nullptr: nothing.
    [[nodiscard]] const TensorNumbers* tensor() const;
    void dress();
    void choosePage();
    [[nodiscard]] QWidget* makeValuePage();
    /// The layer that is selected; where none is, the first whose elements are networks of their
    /// own.
    [[nodiscard]] const Layer* chosen() const;
    [[nodiscard]] QString layer() const;
    /// What its PSNR is taken against; 0: it has none.
    [[nodiscard]] double peak() const;
    /// Whether its elements are networks of their own.
    [[nodiscard]] bool hasStates(const Layer& layer) const;
    [[nodiscard]] std::vector<int> huesOf(std::int64_t elements) const;

    const Look& look_;
    const RunHub& hub_;
    RunControl& control_;
    QPointer<const RunPrediction> prediction_;
    QPointer<DesignDocument> document_;
    QPointer<Selection> selection_;
    std::vector<std::string> weights_;
    std::vector<RunFile> checkpoint_; ///< that they are in, none or one
    std::vector<WatchedValue> values_;
    QTimer again_;
    std::int64_t observedAfter_ = -1; ///< the step at which the last was asked for; -1: none
    int asked_ = 0;
    int namesAsked_ = 0;
    QThreadPool pool_;
    QLabel* title_ = nullptr;
    QLabel* facts_ = nullptr;
    QComboBox* mode_ = nullptr; ///< of layers that have states
    QToolButton* observe_ = nullptr;
    QToolButton* save_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    SparseView* sparse_ = nullptr;
    QListWidget* list_ = nullptr;
    TensorPicture* picture_ = nullptr;
    HistogramPlot* histogram_ = nullptr;
    NumberModel* numbers_ = nullptr;
    QTabWidget* tabs_ = nullptr;
};

} // namespace weft::ui
