// SPDX-License-Identifier: Apache-2.0
#pragma once
// The brush of a canvas: gives an assignment to the layers that it touches.

#include <weft/design.h>

#include <QObject>
#include <optional>

namespace weft::ui {

/// The assignment that the brush gives to the layers it touches.
struct Brush {
    QString name;
    AxisWord word = AxisWord::follow;
    std::optional<Assignment> assignment;
};

class CanvasBrush : public QObject {
    Q_OBJECT

public:
    [[nodiscard]] const std::optional<Brush>& held() const { return held_; }
    /// std::nullopt: the pointer selects and moves layers again.
    void hold(const std::optional<Brush>& brush);

Q_SIGNALS:
    void changed();

private:
    std::optional<Brush> held_;
};

} // namespace weft::ui
