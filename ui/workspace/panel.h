// SPDX-License-Identifier: Apache-2.0
#pragma once
// Base class of a dock's content that follows the current design. `refresh` is called for any
// change; a hidden panel is refreshed when it is shown.

#include "workspace/bench.h"

#include <QWidget>

class QDockWidget;

namespace weft::ui {

class Panel : public QWidget {
    Q_OBJECT

public:
    explicit Panel(Bench& bench, QWidget* parent = nullptr);

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
    virtual void refresh(unsigned causes) = 0;

    [[nodiscard]] Bench& bench() const { return bench_; }
    [[nodiscard]] OpenDesign* design() const { return design_; }
    /// Returns the dock of this panel; nullptr if there is none.
    [[nodiscard]] QDockWidget* dock() const;
    void showEvent(QShowEvent* event) override;
    /// Schedules one `refresh` for all causes until then.
    void hear(unsigned causes);

private:
    void follow();
    void tell();

    Bench& bench_;
    OpenDesign* design_ = nullptr;
    unsigned heard_ = designCause;
    bool isTelling_ = false;
};

} // namespace weft::ui
