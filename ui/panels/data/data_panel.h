// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where examples come from, how many make a step, what is held out, and how a batch is cut over the
// devices.

#include "session/setting_form.h"

class QLabel;

namespace weft::ui {

class DataPanel : public SettingForm {
    Q_OBJECT

public:
    explicit DataPanel(Bench& bench, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;

private:
    class BatchRuler;
    QLabel* feeds_;
    BatchRuler* ruler_;
};

} // namespace weft::ui
