// SPDX-License-Identifier: Apache-2.0
#pragma once
// Placeholder of an empty view: one line that explains the view, one line of advice, and one
// button.

#include "theme/look.h"

#include <QWidget>

class QAction;
class QLabel;
class QPushButton;

namespace weft::ui {

class EmptyState : public QWidget {
    Q_OBJECT

public:
    EmptyState(Look& look, const QString& icon, const QString& title, const QString& text,
               QAction* action = nullptr, QWidget* parent = nullptr);
    void setTexts(const QString& title, const QString& text); ///< explanation and advice

private:
    void applyLook();

    Look& look_;
    QString icon_;    ///< name under resources/icons
    QLabel* picture_; ///< the icon
    QLabel* title_;
    QLabel* text_;
};

} // namespace weft::ui
