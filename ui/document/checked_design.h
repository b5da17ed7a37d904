// SPDX-License-Identifier: Apache-2.0
#pragma once
// Results of the check of a document: the newest preview and, while its numbers are being computed,
// the numbers of the revision before.

#include <weft/preview.h>

#include <memory>
#include <string_view>

namespace weft::ui {

struct CheckedDesign {
    std::uint64_t revision = 0; ///< revision of the document
    std::shared_ptr<const Preview> preview = std::make_shared<const Preview>(); ///< never null
    /// The newest preview with a step, and the newest with a run. Each is `preview` itself, or an
    /// earlier one while that part of `preview` is being computed; nullptr: none.
    std::shared_ptr<const Preview> withStep = {}; ///< newest with a step; nullptr: none
    std::shared_ptr<const Preview> withRun = {};  ///< newest with a run; nullptr: none
    std::int64_t batch = 0;  ///< batch of the design that `withStep` was made from
    double milliseconds = 0; ///< time until the problems were known
    bool operator==(const CheckedDesign&) const = default;

    [[nodiscard]] bool isStepOlder() const { return withStep && withStep != preview; }
    [[nodiscard]] bool isRunOlder() const { return withRun && withRun != preview; }
};

/// Returns the device of this name; nullptr if there is no preview or no such device.
[[nodiscard]] const DevicePreview* findDevice(const Preview* preview, std::string_view name);

} // namespace weft::ui
