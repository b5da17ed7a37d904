// SPDX-License-Identifier: Apache-2.0
#pragma once
// A text edited in place on the canvas: Enter and losing the focus accept the text, Escape discards
// it.

#include <QPlainTextEdit>
#include <functional>

namespace weft::ui {

class InPlaceEditor : public QPlainTextEdit {
    Q_OBJECT

public:
    /// `hasLines`: Shift+Enter inserts a newline. The editor deletes itself when it is finished.
    InPlaceEditor(QWidget& over, const QRect& where, const QString& text, bool hasLines,
                  std::function<void(const QString&)> take);
    /// Accepts the text if it has changed.
    void finish();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void closeEditor();

    QString originalText_;
    bool hasLines_;
    std::function<void(const QString&)> acceptText_;
};

} // namespace weft::ui
