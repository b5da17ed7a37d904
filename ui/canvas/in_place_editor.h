// SPDX-License-Identifier: Apache-2.0
#pragma once
// A text edited where it stands on the canvas: Enter takes it, Escape leaves it as it was, and so
// that nothing typed is lost, leaving the field takes it too.

#include <QPlainTextEdit>
#include <functional>

namespace weft::ui {

class InPlaceEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    /// `hasLines`: Shift and Enter begin another one. Goes by itself when it is done.
    InPlaceEditor(QWidget& over, const QRect& where, const QString& text, bool hasLines,
                  std::function<void(const QString&)> take);
    /// Takes what stands there, if it is another text.
    void finish();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void leave();

    QString before_;
    bool hasLines_;
    std::function<void(const QString&)> take_;
};

} // namespace weft::ui
