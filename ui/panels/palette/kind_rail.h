// SPDX-License-Identifier: Apache-2.0
#pragma once
// The palette where there is no room for names: a picture a category, whose kinds open over the
// canvas.

#include "session/bench.h"

#include <QWidget>

namespace weft::ui {

class SearchPopup;

class KindRail : public QWidget {
    Q_OBJECT

public:
    explicit KindRail(Bench& bench, QWidget* parent = nullptr);

private:
    void build();
    /// Kinds of a category, or of what is typed; an empty category: all.
    void offer(const QString& category, const QWidget& beside);

    Bench& bench_;
    SearchPopup* popup_ = nullptr;
};

} // namespace weft::ui
