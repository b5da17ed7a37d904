// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a step is predicted to take, before anything runs: four figures and a bar per device.

#include "session/panel.h"

namespace weft::ui {

class PredictionPanel : public Panel {
    Q_OBJECT

public:
    explicit PredictionPanel(Bench& bench, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void paintDevices(QPainter& painter, const QRect& room);

    std::shared_ptr<const CheckedDesign> known_;
    std::vector<std::pair<QString, QString>> figures_;
};

} // namespace weft::ui
