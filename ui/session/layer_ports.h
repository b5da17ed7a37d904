// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The names of a layer's ports as they stand in a design. Pure.

#include <weft/catalogue.h>
#include <weft/design.h>

#include <QStringList>

namespace weft::ui {

struct PortNames {
    QStringList inputs;
    QStringList outputs;
};

/// Of a group, where one is given, else of the kind; nullptr: not known. Of a port that takes any
/// number of wires so many as `wiresInto`, and one that is free.
[[nodiscard]] PortNames portsOf(const GroupDefinition* group, const LayerKindInfo* kind,
                                int wiresInto);

} // namespace weft::ui
