// SPDX-License-Identifier: Apache-2.0
#pragma once
// A sparse code as an observed step showed it: a column per element of the batch, their energies
// beneath, the dictionary beside. Files are read, and pictures made, on another thread.

#include "session/watched_values.h"
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
    /// From the number of elements to the palette's slot of each.
    using Hues = std::function<std::vector<int>(std::int64_t elements)>;

    SparseView(const Look& look, Hues hues, QWidget* parent = nullptr);
    ~SparseView() override;

    /// The newest values of one layer: those of one step together, and its weight. `whose`: the run
    /// and the layer; of another nothing stays. `frames`: in an example of the run; `peak`: what
    /// PSNR is taken against, 0: there is none.
    void show(const QString& whose, const std::vector<WatchedValue>& values,
              std::int64_t frames = 1, double peak = 0);
    using QWidget::show;
    /// The file of the dictionary that the observed step worked with, which need not be there;
    /// empty where the code is no observed one. A checkpoint may have a newer one.
    [[nodiscard]] static std::filesystem::path observedWeight(const WatchedValue& code);
    /// Devices are known by now, or others.
    void dressElements();
    [[nodiscard]] ElementColumns& columns() { return *columns_; }
    [[nodiscard]] ElementCurves& curves() { return *curves_; }
    [[nodiscard]] ActiveValues& activeValues() { return *active_; }
    [[nodiscard]] DictionaryView& dictionary() { return *dictionary_; }
    [[nodiscard]] const SparseShown* shown() const { return shown_.get(); }
    /// In a low, wide view the curves stand beside the columns.
    [[nodiscard]] QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// What was given last is shown; `facts`: in a line, or why it is not.
    void drawn(const QString& facts);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// One, or one per element.
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
    std::vector<WatchedValue> asked_; ///< what was read last, or is being read
    std::vector<int> elementHues_;
    std::atomic<int> number_ = 0; ///< of what was asked for last
    std::int64_t frames_ = 1;
    QThreadPool pool_;
    QSplitter* left_;
    ElementColumns* columns_;
    ElementCurves* curves_;
    ActiveValues* active_;
    DictionaryView* dictionary_;
};

} // namespace weft::ui
