// SPDX-License-Identifier: Apache-2.0
#pragma once
// Memory of a run's devices, one bar each on a common scale: the fill is the allocated memory, the
// dotted line the prediction, the line at the end the available memory.

#include <QString>
#include <QWidget>
#include <vector>

namespace weft::ui {

class Look;

struct MemoryBar {
    QString name;
    int slot = 0;         ///< index of the device palette
    double allocated = 0; ///< allocated bytes; 0: not known yet
    double predicted = 0; ///< predicted bytes; 0: not predicted
    double available = 0; ///< available bytes; 0: unknown
    QString words = {};   ///< breakdown of the predicted memory
};

class MemoryRows : public QWidget {
    Q_OBJECT

public:
    explicit MemoryRows(const Look& look, QWidget* parent = nullptr);
    void show(std::vector<MemoryBar> devices); ///< one bar each
    using QWidget::show;
    [[nodiscard]] const std::vector<MemoryBar>& devices() const { return devices_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void drawRow(QPainter& painter, const MemoryBar& one, int top, double most) const;

    const Look& look_;
    std::vector<MemoryBar> devices_;
};

} // namespace weft::ui
