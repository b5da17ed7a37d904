// SPDX-License-Identifier: Apache-2.0
#pragma once
// Words to the user at the foot of the canvas: they leave by themselves, failures stay until they
// are closed. Never a window in the way.

#include "session/bench.h"

#include <QWidget>

class QVBoxLayout;

namespace weft::ui {

class Notices : public QWidget {
    Q_OBJECT

public:
    Notices(Bench& bench, QWidget& over);

    void add(const QString& text, bool isFailure);
    [[nodiscard]] QStringList shown() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void arrange();

    Bench& bench_;
    QWidget& over_;
    QVBoxLayout* layout_;
};

} // namespace weft::ui
