// SPDX-License-Identifier: Apache-2.0
#pragma once
// How each device spent one step: Breakdown(look), then `show` with measured and predicted totals.
// The outline above is predicted, the fill below is measured. Device colour is computation, ink is
// exposed communication, pale ink is waiting for other devices; the rest is idle.

#include <weft/timeline.h>

#include <QString>
#include <QWidget>
#include <vector>

namespace weft::ui {

class Look;

struct DeviceBreakdown {
    QString name;
    int slot = 0;         ///< index of the device palette
    StepTotals measured;  ///< length 0: not measured
    StepTotals predicted; ///< length 0: not predicted
};

class Breakdown : public QWidget {
    Q_OBJECT

public:
    explicit Breakdown(const Look& look, QWidget* parent = nullptr);
    void show(std::vector<DeviceBreakdown> devices);
    using QWidget::show;
    [[nodiscard]] const std::vector<DeviceBreakdown>& devices() const { return devices_; }

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] QString stepText() const; ///< label of the shown step
    void drawBars(QPainter& painter, const DeviceBreakdown& one, int top,
                  std::int64_t longest) const;
    void drawNumbers(QPainter& painter, const DeviceBreakdown& one, int top) const;

    const Look& look_;
    std::vector<DeviceBreakdown> devices_;
};

} // namespace weft::ui
