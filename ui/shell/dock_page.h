// SPDX-License-Identifier: Apache-2.0
#pragma once
// What stands in a dock, for every panel alike: it asks the window for next to no room, so that no
// panel makes the window larger than its screen. What a panel needs beyond what it is given is
// scrolled to.

#include <QScrollArea>

namespace weft::ui {

class DockPage : public QScrollArea {
    Q_OBJECT

public:
    explicit DockPage(QWidget* parent = nullptr);

    /// Becomes the page's own.
    void setPanel(QWidget* panel);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
};

} // namespace weft::ui
