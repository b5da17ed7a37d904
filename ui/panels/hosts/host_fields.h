// SPDX-License-Identifier: Apache-2.0
#pragma once
// The settings of a host as fields: label, values, and the hosts to which each applies. Pure.

#include <weft/attributes.h>
#include <weft/hosts.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft::ui {

struct HostField {
    std::string_view id; ///< such as "via"
    AttributeSpec spec;
    AttributeValue (*read)(const Host&);
    void (*write)(Host&, const AttributeValue&);
    bool (*isOf)(const Host&); ///< returns false if the setting has no effect for this host
};

[[nodiscard]] std::vector<HostField> hostFields(); ///< returns the fields in the order of display
/// Returns the default command to reach a host: "ssh cluster".
[[nodiscard]] std::string defaultCommand(const std::string& name);

} // namespace weft::ui
