// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages at the bottom of the canvas. They disappear after a while; failures stay until they are
// closed. Never modal.

#include "workspace/window_context.h"

#include <QWidget>

class QVBoxLayout;

namespace weft::ui {

class Notices : public QWidget {
    Q_OBJECT

public:
    Notices(WindowContext& context, QWidget& over);

    void add(const QString& text, bool isFailure); ///< shows a message
    [[nodiscard]] QStringList shown() const;       ///< texts of all messages

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange(); ///< at the bottom of over_

    WindowContext& context_;
    QWidget& over_; ///< the canvas
    QVBoxLayout* layout_;
};

} // namespace weft::ui
