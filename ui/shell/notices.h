// SPDX-License-Identifier: Apache-2.0
#pragma once
// Messages at the bottom of the canvas. They disappear after a while; failures stay until they are
// closed. Never modal.

#include "workspace/bench.h"

#include <QWidget>

class QVBoxLayout;

namespace weft::ui {

class Notices : public QWidget {
    Q_OBJECT

public:
    Notices(Bench& bench, QWidget& over);

    void add(const QString& text, bool isFailure); ///< shows a message
    [[nodiscard]] QStringList shown() const;       ///< texts of all messages

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange(); ///< at the bottom of over_

    Bench& bench_;
    QWidget& over_; ///< the canvas
    QVBoxLayout* layout_;
};

} // namespace weft::ui
