// SPDX-License-Identifier: Apache-2.0
#pragma once
// Data dropped on the window becomes the data of the design that is looked at: looked into on a
// thread of its own, then one step of the history.

#include "session/bench.h"

namespace weft::ui {

/// What is no data, or cannot be read, is a notice and changes nothing.
void takeData(Bench& bench, const QStringList& files);

} // namespace weft::ui
