// SPDX-License-Identifier: Apache-2.0
#pragma once
// What is known of a document: the newest preview, and while its numbers are not there yet, those
// of the revision before.

#include <weft/preview.h>

#include <memory>
#include <string_view>

namespace weft::ui {

struct CheckedDesign {
    std::uint64_t revision = 0;
    std::shared_ptr<const Preview> preview = std::make_shared<const Preview>(); ///< never null
    /// The newest that has its step, and the newest that has its run: `preview` itself, or one of
    /// an earlier revision as long as that part of it is still to come. nullptr: there is none.
    std::shared_ptr<const Preview> withStep = {};
    std::shared_ptr<const Preview> withRun = {};
    std::int64_t batch = 0;  ///< of the design of `withStep`
    double milliseconds = 0; ///< until it was known what is wrong
    bool operator==(const CheckedDesign&) const = default;

    [[nodiscard]] bool isStepOlder() const { return withStep && withStep != preview; }
    [[nodiscard]] bool isRunOlder() const { return withRun && withRun != preview; }
};

/// By its name; nullptr where there is no preview, or no such device in it.
[[nodiscard]] const DevicePreview* findDevice(const Preview* preview, std::string_view name);

} // namespace weft::ui
