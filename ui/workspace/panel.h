// SPDX-License-Identifier: Apache-2.0
#pragma once
// Base class of a dock's content that follows the current design. `refresh` is called for any
// change; a hidden panel is refreshed when it is shown.

#include "workspace/window_context.h"

#include <QWidget>

class QDockWidget;

namespace weft::ui {

class Panel : public QWidget {
    Q_OBJECT

public:
    explicit Panel(WindowContext& context, QWidget* parent = nullptr);

protected:
    enum Cause : unsigned {
        designCause = 1,    ///< another design is current, or none
        contentCause = 2,   ///< the design has changed
        selectionCause = 4, ///< the selection or the shown network has changed
        checkCause = 8,     ///< the live check has an answer
        lookCause = 16,     ///< the theme has changed
        machineCause = 32   ///< the report of a machine has arrived
    };
    /// Shows what has changed. `causes`: all causes since the last call. `design()` may be nullptr.
    virtual void refresh(unsigned causes) = 0; ///< `causes`: all since the last call

    [[nodiscard]] WindowContext& context() const { return context_; }
    [[nodiscard]] OpenDesign* design() const { return design_; } ///< nullptr: none
    [[nodiscard]] QDockWidget* dock() const;                     ///< nullptr: not in a dock
    void showEvent(QShowEvent* event) override;
    void hear(unsigned causes); ///< schedules one `refresh`

private:
    void followCurrentDesign(); ///< connects to it
    void refreshIfVisible();    ///< for all pending causes

    WindowContext& context_;
    OpenDesign* design_ = nullptr;         ///< the current one; nullptr: none
    unsigned pendingCauses_ = designCause; ///< since the last `refresh`
    bool isRefreshScheduled_ = false;
};

} // namespace weft::ui
