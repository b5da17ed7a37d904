// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sparse code of an observed step: one column per batch element, their energies below, and the
// dictionary beside. Files are read and pictures created on another thread.

#include "runs/watched_values.h"
#include "tensors/active_values.h"
#include "tensors/dictionary_view.h"
#include "tensors/element_columns.h"
#include "tensors/element_curves.h"

#include <QThreadPool>
#include <atomic>

class QSplitter;

namespace weft::ui {

class SparseView : public QWidget {
    Q_OBJECT

public:
    /// Returns a palette index per element.
    using Hues = std::function<std::vector<int>(std::int64_t elements)>;

    SparseView(const Look& look, Hues hues, QWidget* parent = nullptr);
    ~SparseView() override;

    /// Shows the newest values of one layer: those of one step, and its weight. `runAndLayer`: run
    /// and layer; if it changes, the old content is dropped. `frames`: per example. `peak`: for
    /// PSNR; 0: unknown.
    void show(const QString& runAndLayer, const std::vector<WatchedValue>& values,
              std::int64_t frames = 1, double peak = 0);
    using QWidget::show;
    /// Returns the file of the dictionary that the observed step used, which may not exist; empty
    /// if the code was not observed. A checkpoint may contain a newer dictionary.
    [[nodiscard]] static std::filesystem::path observedWeight(const WatchedValue& code);
    void updateDeviceColours(); ///< updates the elements' device colours
    [[nodiscard]] ElementColumns& columns() { return *columns_; }
    [[nodiscard]] ElementCurves& curves() { return *curves_; }
    [[nodiscard]] ActiveValues& activeValues() { return *activeValues_; }
    [[nodiscard]] DictionaryView& dictionary() { return *dictionary_; }
    [[nodiscard]] const SparseDisplay* shown() const { return shown_.get(); }
    /// In a low, wide view the curves are beside the columns.
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The data of the last `show` is drawn; `facts`: one line of facts, or why nothing is shown.
    void drawn(const QString& facts);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// One dictionary, or one per element.
    using Dictionaries = std::vector<std::shared_ptr<const DictionaryDisplay>>;
    struct Read;
    void takeReading(int number, const Read& read);
    void reportDrawn(const QString& fault);
    void showDictionaryOfElement();
    void computeFigures();
    void followElement();

    Hues deviceHues_;
    QString runAndLayer_;
    std::shared_ptr<const SparseDisplay> shown_;
    Dictionaries dictionaries_;
    std::vector<WatchedValue> requestedValues_; ///< values read last or being read
    std::vector<int> elementHues_;
    std::atomic<int> requestNumber_ = 0; ///< number of the newest request
    std::int64_t frames_ = 1;            ///< per example
    QThreadPool pool_;
    QSplitter* leftSplitter_;
    ElementColumns* columns_;
    ElementCurves* curves_;
    ActiveValues* activeValues_;
    DictionaryView* dictionary_;
};

} // namespace weft::ui
