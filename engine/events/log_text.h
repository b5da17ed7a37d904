// SPDX-License-Identifier: Apache-2.0
#pragma once
// Attempts and sites of spans as texts of the log: JSON, read back without trust.

#include <weft/runs.h>
#include <weft/timeline.h>

#include <string>
#include <string_view>

namespace weft {

/// The payload of a run event.
[[nodiscard]] std::string attemptText(const Attempt& attempt);
/// What the payload says; number and time stand in the event itself.
[[nodiscard]] Attempt attemptFrom(std::string_view text);

/// What is interned as the name of a site.
[[nodiscard]] std::string siteText(const SpanSite& site);
/// A site of what can be understood of `text`.
[[nodiscard]] SpanSite siteFrom(std::string_view text);

} // namespace weft
