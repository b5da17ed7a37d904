// SPDX-License-Identifier: Apache-2.0
#pragma once
// Weights, gradients and activations of the selected layer as picture, histogram and numbers:
// TensorsView(look, hub, control), where the RunControl asks the hub's run to observe;
// `follow(document, selection)` selects the layer. A layer whose batch elements are networks of
// their own is shown as one column per element. Files are read on another thread.

#include "launch/run_control.h"
#include "runs/run_hub.h"
#include "runs/run_prediction.h"
#include "runs/watched_values.h"
#include "tensors/number_model.h"
#include "tensors/sparse_view.h"
#include "tensors/tensor_picture.h"
#include "workspace/selection.h"

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
    /// Sets the prediction that knows which device holds which element.
    void setPrediction(const RunPrediction& prediction);
    [[nodiscard]] const std::vector<WatchedValue>& values() const { return values_; }
    [[nodiscard]] const TensorPicture& picture() const { return *picture_; }
    [[nodiscard]] const HistogramPlot& histogram() const { return *histogram_; }
    [[nodiscard]] const NumberModel& numbers() const { return *numbers_; }
    [[nodiscard]] SparseView& sparse() { return *sparse_; }
    /// Returns the default file name, such as "code.weight.png".
    [[nodiscard]] QString nameToSave() const;
    /// Exports the shown value as a picture or as numbers, according to the suffix; throws Error if
    /// the write fails.
    void exportTo(const QString& file) const;
    [[nodiscard]] bool isInColumns() const; ///< true if one column per element is shown

Q_SIGNALS:
    void shown(); ///< the data requested last is shown
    void exportWanted();

protected:
    void showEvent(QShowEvent* event) override;

private:
    struct Read;
    void takeGrowth(const RunGrowth& growth);
    /// Returns true if the file exists locally; otherwise requests it if the view is visible.
    [[nodiscard]] bool isHere(const std::filesystem::path& file);
    /// Returns true if all files of the value's step exist locally.
    [[nodiscard]] bool areFilesHere(const WatchedValue& value);
    [[nodiscard]] QString whyNotHere(const std::filesystem::path& file) const;
    void readWeightNames();
    void fillValueList();
    void fillColumns();
    void read();
    void showReading(int number, const Read& read);
    void observe(); ///< requests an observed step
    /// While the columns of a live run are visible, requests the next observed step once the last
    /// one has arrived.
    void observeAgain();
    void enableSaving();
    [[nodiscard]] const TensorNumbers* tensor() const; ///< the shown tensor; nullptr: none
    void applyLook();
    void choosePage();
    [[nodiscard]] QWidget* makeValuePage();
    /// Returns the selected layer, or else the first layer whose batch elements are networks of
    /// their own.
    [[nodiscard]] const Layer* watchedLayer() const;
    [[nodiscard]] QString layerName() const;
    [[nodiscard]] double signalPeak() const; ///< returns the peak for PSNR; 0: none
    /// True if the layer's batch elements are networks of their own.
    [[nodiscard]] bool hasElementStates(const Layer& layer) const;
    [[nodiscard]] std::vector<int> deviceHues(std::int64_t elements) const;

    const Look& look_;
    const RunHub& hub_;
    RunControl& control_;
    QPointer<const RunPrediction> prediction_;
    QPointer<DesignDocument> document_;
    QPointer<Selection> selection_;
    std::vector<std::string> weightNames_; ///< in the newest checkpoint
    std::vector<RunFile> checkpoint_;      ///< the newest checkpoint; empty: none
    std::vector<WatchedValue> values_;
    QTimer reobserveTimer_;
    std::int64_t observedAfter_ = -1; ///< step of the last request; -1: none
    int requestNumber_ = 0;
    int namesRequestNumber_ = 0;
    QThreadPool pool_;
    QLabel* titleLabel_ = nullptr;
    QLabel* factsLabel_ = nullptr;
    QComboBox* modeList_ = nullptr; ///< for layers with states
    QToolButton* observeButton_ = nullptr;
    QToolButton* saveButton_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    SparseView* sparse_ = nullptr;
    QListWidget* valueList_ = nullptr;
    TensorPicture* picture_ = nullptr;
    HistogramPlot* histogram_ = nullptr;
    NumberModel* numbers_ = nullptr;
    QTabWidget* tabs_ = nullptr;
};

} // namespace weft::ui
