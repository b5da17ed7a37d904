// SPDX-License-Identifier: Apache-2.0
#pragma once
// Measured time per layer, from the sums that a run reports every second even without spans: over
// the attempt and over the last second. With several devices, the slowest one counts, as in
// predictions.

#include <weft/profile.h>
#include <weft/runs.h>

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace weft::ui {

/// Time of one layer per step.
struct LayerTime {
    std::string layer = {}; ///< full name, such as "block[2]/conv1"
    Nanoseconds forward = {};
    Nanoseconds backward = {};
    Nanoseconds update = {};
    Nanoseconds communicate = {};
    [[nodiscard]] Nanoseconds compute() const { return forward + backward + update; }
    bool operator==(const LayerTime&) const = default;
};

class LayerSums {
public:
    void add(std::span<const RunProfile> profile);
    void clear();

    /// Returns the mean per step over the attempt.
    [[nodiscard]] std::map<Origin, LayerTime> mean() const;
    [[nodiscard]] std::map<Origin, LayerTime> latest() const; ///< times of the last reported second

private:
    struct Key {
        Origin origin;
        DeviceId device;
        Pass pass;
        SpanKind kind; ///< the sums of each kind are reported separately
        auto operator<=>(const Key&) const = default;
    };
    struct Sum {
        std::int64_t steps = 0;       ///< since the attempt began
        std::int64_t time = 0;        ///< nanoseconds
        std::int64_t latestSteps = 0; ///< in the last report
        std::int64_t latestTime = 0;  ///< nanoseconds, in the last report
        std::int64_t reportedAt = 0;  ///< time of the last report
    };
    [[nodiscard]] std::map<Origin, LayerTime> timesByLayer(bool isLatest) const;

    std::uint32_t attempt_ = 0; ///< number of the attempt
    std::map<Key, Sum> sums_;
    std::map<Origin, std::string> names_; ///< full names of layers
};

} // namespace weft::ui
