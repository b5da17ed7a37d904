// SPDX-License-Identifier: Apache-2.0
#pragma once
// The difference of two designs, applicable in both directions: an undo step. For each list, only
// the range from the first to the last difference is stored, so that a step on a large network
// stays small.

#include <weft/design.h>

#include <optional>
#include <utility>
#include <vector>

namespace weft::ui {

/// The range of a list that differs.
template <class T>
struct ListDelta {
    std::size_t firstIndex = 0; ///< index of the range in the list
    std::vector<T> before;      ///< the range before the change
    std::vector<T> after;       ///< the range after the change
    [[nodiscard]] bool isEmpty() const { return before.empty() && after.empty(); }
};

struct NetworkDelta {
    ListDelta<Layer> layers;
    ListDelta<Wire> wires;
    ListDelta<Frame> frames;
    ListDelta<Comment> comments;
    [[nodiscard]] bool isEmpty() const;
};

/// Direction in which a delta is applied.
enum class Direction : std::uint8_t { forward, backward };

class DesignDelta {
public:
    DesignDelta() = default;
    DesignDelta(const Design& before, const Design& after);

    [[nodiscard]] bool isEmpty() const;
    /// Makes the change in the design, or undoes it. `design` must be the design before the change
    /// (forward) or after it (backward).
    void apply(Design& design, Direction direction) const; ///< makes or undoes the change
    /// True if only positions, frames, texts and the like differ, so that the computation stays the
    /// same.
    [[nodiscard]] bool isOnlyAppearance() const { return isOnlyAppearance_; }

private:
    /// Everything in a design except its networks.
    struct Settings {
        std::string name, note, unknown; ///< `unknown`: JSON that this version does not know
        DataSettings data;
        TrainingSettings training;
        std::vector<DeviceDeclaration> devices;
        Assignment assignment;
        bool operator==(const Settings&) const = default;
    };
    static Settings settingsOf(const Design& design);

    NetworkDelta network_; ///< change of the top level
    ListDelta<GroupDefinition> groups_;
    std::optional<std::pair<Settings, Settings>> settings_; ///< before and after; none: unchanged
    bool isOnlyAppearance_ = true;                          ///< the computation stays the same
};

} // namespace weft::ui
