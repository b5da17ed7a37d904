// SPDX-License-Identifier: Apache-2.0
#pragma once
// The settings of a host, a field each: what it is called, what it takes, and of which hosts it is
// one at all. Pure.

#include <weft/attributes.h>
#include <weft/hosts.h>

#include <string>
#include <string_view>
#include <vector>

namespace weft::ui {

struct HostField {
    std::string_view id; ///< "via"
    AttributeSpec spec;
    AttributeValue (*read)(const Host&);
    void (*write)(Host&, const AttributeValue&);
    bool (*isOf)(const Host&); ///< of one whose jobs start otherwise it would do nothing
};

/// In the order in which they stand.
[[nodiscard]] std::vector<HostField> hostFields();
/// The command of a host that is reached as most are: "ssh cluster".
[[nodiscard]] std::string usualCommand(const std::string& name);

} // namespace weft::ui
