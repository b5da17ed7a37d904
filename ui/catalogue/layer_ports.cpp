// SPDX-License-Identifier: Apache-2.0
#include "catalogue/layer_ports.h"

namespace weft::ui {

PortNames portsOf(const GroupDefinition* group, const LayerKindInfo* kind,
                  const Attributes& attributes, int wiresInto) {
    PortNames ports;
    if (group != nullptr) {
        for (const GroupPort& port : group->inputs) {
            ports.inputs << QString::fromStdString(port.name);
        }
        for (const GroupPort& port : group->outputs) {
            ports.outputs << QString::fromStdString(port.name);
        }
    } else if (kind != nullptr) {
        for (const PortInfo& port : kind->inputs) {
            const QString name = QString::fromStdString(port.name);
            if (!port.variadic) {
                ports.inputs << name;
                continue;
            }
            for (int i = 0; i <= wiresInto; ++i) {
                ports.inputs << name + QString::number(i);
            }
        }
        for (const std::string& name : outputPorts(*kind, attributes)) {
            ports.outputs << QString::fromStdString(name);
        }
    }
    return ports;
}

} // namespace weft::ui
