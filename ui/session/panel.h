// SPDX-License-Identifier: Apache-2.0
#pragma once
// A dock's content that follows the design that is looked at. One function hears whatever may have
// changed; what is hidden hears of it when it is shown.

#include "session/bench.h"

#include <QWidget>

class QDockWidget;

namespace weft::ui {

class Panel : public QWidget {
    Q_OBJECT

public:
    explicit Panel(Bench& bench, QWidget* parent = nullptr);

protected:
    enum Cause : unsigned {
        designCause = 1,    ///< another design is looked at, or none
        contentCause = 2,   ///< the design changed
        selectionCause = 4, ///< other layers are selected, or another network is looked at
        checkCause = 8,     ///< the live check has answered
        lookCause = 16,     ///< another theme
        machineCause = 32   ///< what this machine has, or what is planned for, is known
    };
    /// `causes`: all since the last time, together. `design()` may be nullptr.
    virtual void refresh(unsigned causes) = 0;

    [[nodiscard]] Bench& bench() const { return bench_; }
    [[nodiscard]] OpenDesign* design() const { return design_; }
    /// In which it stands; nullptr where it stands alone.
    [[nodiscard]] QDockWidget* dock() const;
    void showEvent(QShowEvent* event) override;
    /// Hears `refresh` soon, once for all that is told until then.
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
