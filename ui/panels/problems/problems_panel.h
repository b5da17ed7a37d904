// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel with the problems of the design, most severe first. Enter or a click shows the layer; a
// click on the fix applies it.

#include "workspace/panel.h"
#include <weft/diagnostics.h>

class QStackedLayout;
class QTreeWidget;

namespace weft::ui {

class EmptyState;

class ProblemsPanel : public Panel {
    Q_OBJECT

public:
    explicit ProblemsPanel(WindowContext& context, QWidget* parent = nullptr);

    [[nodiscard]] int count() const { return static_cast<int>(problems_.size()); }
    void goTo(int row);
    bool applyFix(int row); ///< returns false if there is no fix or the edit was refused

protected:
    void refresh(unsigned causes) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fillList();
    void showProblem(const Diagnostic& problem);

    QStackedLayout* layout_;
    QTreeWidget* list_;
    EmptyState* empty_;
    std::vector<Diagnostic> problems_;
};

} // namespace weft::ui
