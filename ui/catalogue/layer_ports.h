// SPDX-License-Identifier: Apache-2.0
#pragma once
// Port names of a layer in a design. Pure.

#include <weft/catalogue.h>
#include <weft/design.h>

#include <QStringList>

namespace weft::ui {

struct PortNames {
    QStringList inputs;  ///< names of the input ports
    QStringList outputs; ///< names of the output ports
};

/// Ports of a group if given, otherwise of the kind; nullptr: unknown. A port with any number of
/// wires counts as `wiresInto` ports plus a free one; attributes may name the number of outputs.
[[nodiscard]] PortNames portsOf(const GroupDefinition* group, const LayerKindInfo* kind,
                                const Attributes& attributes, int wiresInto);

} // namespace weft::ui
