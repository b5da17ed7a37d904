// SPDX-License-Identifier: Apache-2.0
#pragma once
// The memory of each device of a run, one bar below another on one scale: the fill is what the run
// was given, the dotted upright what it was predicted to take, the line at the end what there is.

#include <QString>
#include <QWidget>
#include <vector>

namespace weft::ui {

class Look;

struct HeldMemory {
    QString name;
    int slot = 0;
    double given = 0;     ///< bytes; 0: not known yet
    double predicted = 0; ///< bytes; 0: not predicted
    double available = 0; ///< bytes; 0: not known
    QString words = {};   ///< what the predicted memory is made of
};

class MemoryRows : public QWidget {
    Q_OBJECT

public:
    explicit MemoryRows(const Look& look, QWidget* parent = nullptr);
    void show(std::vector<HeldMemory> devices);
    using QWidget::show;
    [[nodiscard]] const std::vector<HeldMemory>& devices() const { return devices_; }
    [[nodiscard]] QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void drawRow(QPainter& painter, const HeldMemory& one, int top, double most) const;

    const Look& look_;
    std::vector<HeldMemory> devices_;
};

} // namespace weft::ui
