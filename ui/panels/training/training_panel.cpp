// SPDX-License-Identifier: Apache-2.0
#include "panels/training/training_panel.h"

namespace weft::ui {

TrainingPanel::TrainingPanel(WindowContext& context, QWidget* parent)
    : SettingForm(context,
                  {"training.optimizer", "training.learning_rate", "training.schedule",
                   "training.clip_norm", "training.update_period", "training.first_update",
                   "training.sync_every", "training.sync", "training.epochs", "training.steps",
                   "training.evaluate_every", "training.checkpoint_every", "training.seed",
                   "training.order", "training.bucket_megabytes", "training.precision"},
                  parent) {}

} // namespace weft::ui
