// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel for the training settings: optimizer and learning rate schedule with their attributes, when
// to stop, evaluate and save, and execution.

#include "workspace/setting_form.h"

namespace weft::ui {

class TrainingPanel : public SettingForm {
    Q_OBJECT

public:
    explicit TrainingPanel(WindowContext& context, QWidget* parent = nullptr);
};

} // namespace weft::ui
