// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/bench.h"

namespace weft::ui {

Bench::Bench(Look& look, Kinds kinds, QObject* parent)
    : QObject(parent), look(look), kinds(std::move(kinds)) {}

void Bench::setMachine(std::shared_ptr<const MachineReport> machine) {
    machine_ = std::move(machine);
    for (const auto& design : designs.all()) {
        design->check().setMachine(machine_->machine);
    }
    emit machineKnown();
}

} // namespace weft::ui
