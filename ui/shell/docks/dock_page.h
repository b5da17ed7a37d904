// SPDX-License-Identifier: Apache-2.0
#pragma once
// The scrollable content of a dock. Its minimum size is tiny, so that no panel can make the window
// larger than the screen.

#include <QScrollArea>

namespace weft::ui {

class DockPage : public QScrollArea {
    Q_OBJECT

public:
    explicit DockPage(QWidget* parent = nullptr);

    /// Takes ownership of the panel.
    void setPanel(QWidget* panel); ///< takes ownership
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit(); ///< sizes the panel to the page
};

} // namespace weft::ui
