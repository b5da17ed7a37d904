// SPDX-License-Identifier: Apache-2.0
#pragma once
// What differs between two designs, kept both ways: an undo step. Of every list only the stretch
// between the first and the last difference is kept, so that a step on a large network is small.

#include <weft/design.h>

#include <optional>
#include <utility>
#include <vector>

namespace weft::ui {

/// The stretch of a list that differs.
template <class T>
struct ListDelta {
    std::size_t at = 0;
    std::vector<T> before;
    std::vector<T> after;
    [[nodiscard]] bool isEmpty() const { return before.empty() && after.empty(); }
};

struct NetworkDelta {
    ListDelta<Layer> layers;
    ListDelta<Wire> wires;
    ListDelta<Frame> frames;
    ListDelta<Comment> comments;
    [[nodiscard]] bool isEmpty() const;
};

/// Which way a delta is taken.
enum class Direction : std::uint8_t { forward, backward };

class DesignDelta {
public:
    DesignDelta() = default;
    DesignDelta(const Design& before, const Design& after);

    [[nodiscard]] bool isEmpty() const;
    /// `design` must be what the delta was made from (forward) or leads to (backward).
    void apply(Design& design, Direction direction) const;
    /// What is computed stays the same: places, frames, texts and the like are others.
    [[nodiscard]] bool isOnlyAppearance() const { return isOnlyAppearance_; }

private:
    /// Everything of a design that is no network.
    struct Settings {
        std::string name, note, unknown;
        DataSettings data;
        TrainingSettings training;
        std::vector<DeviceDeclaration> devices;
        Assignment assignment;
        bool operator==(const Settings&) const = default;
    };
    static Settings settingsOf(const Design& design);

    NetworkDelta network_;
    ListDelta<GroupDefinition> groups_;
    std::optional<std::pair<Settings, Settings>> settings_;
    bool isOnlyAppearance_ = true;
};

} // namespace weft::ui
