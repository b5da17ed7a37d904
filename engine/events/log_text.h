// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts attempts and span sites to JSON texts of the log and back; the input is not trusted.

#include <weft/runs.h>
#include <weft/timeline.h>

#include <string>
#include <string_view>

namespace weft {

/// Returns the payload of a run event.
[[nodiscard]] std::string attemptText(const Attempt& attempt);
/// Parses the payload; number and time are in the event itself.
[[nodiscard]] Attempt attemptFrom(std::string_view text);

[[nodiscard]] std::string siteText(const SpanSite& site); ///< interned name of the site
/// Parses a site; fields that cannot be read keep their defaults.
[[nodiscard]] SpanSite siteFrom(std::string_view text);

} // namespace weft
