// SPDX-License-Identifier: Apache-2.0
#pragma once
// The narrow form of the palette: one icon per category, which opens the category's kinds over the
// canvas.

#include "workspace/window_context.h"

#include <QWidget>

namespace weft::ui {

class SearchPopup;

class KindRail : public QWidget {
    Q_OBJECT

public:
    explicit KindRail(WindowContext& context, QWidget* parent = nullptr);

private:
    void build();
    /// Opens a search of this category's kinds; an empty category: all kinds.
    void openCategory(const QString& category, const QWidget& beside);

    WindowContext& context_;
    SearchPopup* popup_ = nullptr;
};

} // namespace weft::ui
