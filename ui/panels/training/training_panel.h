// SPDX-License-Identifier: Apache-2.0
#pragma once
// How the design is trained: optimizer, rate, when to stop, evaluate and save, how it is executed.

#include "session/setting_form.h"

namespace weft::ui {

class TrainingPanel : public SettingForm {
    Q_OBJECT

public:
    explicit TrainingPanel(Bench& bench, QWidget* parent = nullptr);
};

} // namespace weft::ui
