// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is wrong with the design: worst first, then in the order of the data. Enter or a click goes
// to the layer; the fix is a click too.

#include "session/panel.h"
#include <weft/diagnostics.h>

class QStackedLayout;
class QTreeWidget;

namespace weft::ui {

class EmptyState;

class ProblemsPanel : public Panel {
    Q_OBJECT

public:
    explicit ProblemsPanel(Bench& bench, QWidget* parent = nullptr);

    [[nodiscard]] int count() const { return static_cast<int>(problems_.size()); }
    void goTo(int row);
    /// False where there is none, or it was refused.
    bool applyFix(int row);

protected:
    void refresh(unsigned causes) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void reveal(const Diagnostic& problem);

    QStackedLayout* layout_;
    QTreeWidget* list_;
    EmptyState* empty_;
    std::vector<Diagnostic> problems_;
};

} // namespace weft::ui
