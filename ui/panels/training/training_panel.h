// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How the design is trained: optimizer and learning rate schedule with their attributes, when to
// stop, evaluate and save, how it is executed.

#include "session/setting_form.h"

namespace weft::ui {

class TrainingPanel : public SettingForm {
    Q_OBJECT

public:
    explicit TrainingPanel(Bench& bench, QWidget* parent = nullptr);
};

} // namespace weft::ui
