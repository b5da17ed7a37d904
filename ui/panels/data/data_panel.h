// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where examples come from and some of them as they are, how many make a step, what is held out,
// and how a batch is cut over the devices.

#include "session/setting_form.h"

#include <QTimer>

class QLabel;

namespace weft::ui {

class SampleStrip;

class DataPanel : public SettingForm {
    Q_OBJECT

public:
    explicit DataPanel(Bench& bench, QWidget* parent = nullptr);

protected:
    void refresh(unsigned causes) override;

private:
    class BatchRuler;
    void follow();
    void read();

    QLabel* source_;
    SampleStrip* samples_;
    QLabel* feeds_;
    BatchRuler* ruler_;
    QTimer soon_; ///< while one types, nothing is read
    DataSettings asked_;
    QString askedIn_;
    int number_ = 0; ///< of the newest question
};

} // namespace weft::ui
