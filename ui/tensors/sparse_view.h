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

    /// Shows the newest values of one layer: those of one step, and its weight. `whose`: run and
    /// layer; if it changes, the old content is dropped. `frames`: per example. `peak`: for PSNR;
    /// 0: unknown.
    void show(const QString& whose, const std::vector<WatchedValue>& values,
              std::int64_t frames = 1, double peak = 0);
    using QWidget::show;
    /// Returns the file of the dictionary that the observed step used, which may not exist; empty
    /// if the code was not observed. A checkpoint may contain a newer dictionary.
    [[nodiscard]] static std::filesystem::path observedWeight(const WatchedValue& code);
    /// Updates the elements' device colours.
    void dressElements();
    [[nodiscard]] ElementColumns& columns() { return *columns_; }
    [[nodiscard]] ElementCurves& curves() { return *curves_; }
    [[nodiscard]] ActiveValues& activeValues() { return *active_; }
    [[nodiscard]] DictionaryView& dictionary() { return *dictionary_; }
    [[nodiscard]] const SparseShown* shown() const { return shown_.get(); }
    /// In a low, wide view the curves are beside the columns.
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// The data of the last `show` is drawn; `facts`: one line of facts, or why nothing is shown.
    void drawn(const QString& facts);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// One dictionary, or one per element.
    using Dictionaries = std::vector<std::shared_ptr<const DictionaryShown>>;
    struct Read;
    void take(int number, const Read& read);
    void tell(const QString& fault);
    void showAtoms();
    void figure();
    void followElement();

    Hues hues_;
    QString whose_;
    std::shared_ptr<const SparseShown> shown_;
    Dictionaries atoms_;
    std::vector<WatchedValue> asked_; ///< values read last or being read
    std::vector<int> elementHues_;
    std::atomic<int> number_ = 0; ///< number of the newest request
    std::int64_t frames_ = 1;
    QThreadPool pool_;
    QSplitter* left_;
    ElementColumns* columns_;
    ElementCurves* curves_;
    ActiveValues* active_;
    DictionaryView* dictionary_;
};

} // namespace weft::ui
