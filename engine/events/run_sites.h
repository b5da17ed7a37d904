// SPDX-License-Identifier: Apache-2.0
#pragma once
// Collects the sites of a timeline: equal texts of the log become one site, over all ranks and
// attempts.

#include "events/log_reader.h"
#include "events/log_text.h"
#include <weft/timeline.h>

#include <cstdint>
#include <map>
#include <string>

namespace weft {

class SiteTable {
public:
    explicit SiteTable(Timeline& timeline) : timeline_(timeline) {}

    /// Null: the name is missing in the log.
    [[nodiscard]] std::uint32_t indexOf(const LogName* name) {
        const auto [entry, isNew] =
            positions_.try_emplace(name == nullptr ? std::string() : name->text,
                                   static_cast<std::uint32_t>(timeline_.sites.size()));
        if (isNew) {
            timeline_.sites.push_back(siteFrom(entry->first));
        }
        return entry->second;
    }

private:
    Timeline& timeline_;
    std::map<std::string, std::uint32_t> positions_; ///< index in the timeline's sites, by text
};

} // namespace weft
