// SPDX-License-Identifier: Apache-2.0
#include "document/design_delta.h"

#include <weft/design_file.h>

#include <algorithm>

namespace weft::ui {

namespace {

template <class T>
ListDelta<T> difference(const std::vector<T>& before, const std::vector<T>& after) {
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < shorter && before[head] == after[head]) {
        ++head;
    }
    std::size_t tail = 0;
    while (tail < shorter - head &&
           before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
        ++tail;
    }
    const auto part = [&](const std::vector<T>& list) {
        return std::vector<T>(list.begin() + static_cast<std::ptrdiff_t>(head),
                              list.end() - static_cast<std::ptrdiff_t>(tail));
    };
    return {head, part(before), part(after)};
}

template <class T>
void applyDelta(const ListDelta<T>& delta, std::vector<T>& list, Direction direction) {
    const auto& from = direction == Direction::forward ? delta.before : delta.after;
    const auto& to = direction == Direction::forward ? delta.after : delta.before;
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(delta.firstIndex);
    const auto shared = static_cast<std::ptrdiff_t>(std::min(from.size(), to.size()));
    std::copy_n(to.begin(), shared, begin);
    if (from.size() > to.size()) {
        list.erase(begin + shared, begin + static_cast<std::ptrdiff_t>(from.size()));
    } else {
        list.insert(begin + shared, to.begin() + shared, to.end());
    }
}

NetworkDelta difference(const Network& before, const Network& after) {
    return {difference(before.layers, after.layers), difference(before.wires, after.wires),
            difference(before.frames, after.frames), difference(before.comments, after.comments)};
}

void applyDelta(const NetworkDelta& delta, Network& network, Direction direction) {
    applyDelta(delta.layers, network.layers, direction);
    applyDelta(delta.wires, network.wires, direction);
    applyDelta(delta.frames, network.frames, direction);
    applyDelta(delta.comments, network.comments, direction);
}

} // namespace

bool NetworkDelta::isEmpty() const {
    return layers.isEmpty() && wires.isEmpty() && frames.isEmpty() && comments.isEmpty();
}

DesignDelta::Settings DesignDelta::settingsOf(const Design& design) {
    return {design.name,     design.note,    design.unknown,   design.data,
            design.training, design.devices, design.assignment};
}

DesignDelta::DesignDelta(const Design& before, const Design& after)
    : network_(difference(before.network, after.network)),
      groups_(difference(before.groups, after.groups)),
      isOnlyAppearance_(computesTheSame(before, after)) {
    Settings from = settingsOf(before);
    Settings to = settingsOf(after);
    if (from != to) {
        settings_.emplace(std::move(from), std::move(to));
    }
}

bool DesignDelta::isEmpty() const { return network_.isEmpty() && groups_.isEmpty() && !settings_; }

void DesignDelta::apply(Design& design, Direction direction) const {
    applyDelta(network_, design.network, direction);
    applyDelta(groups_, design.groups, direction);
    if (settings_) {
        const Settings& to = direction == Direction::forward ? settings_->second : settings_->first;
        design.name = to.name;
        design.note = to.note;
        design.unknown = to.unknown;
        design.data = to.data;
        design.training = to.training;
        design.devices = to.devices;
        design.assignment = to.assignment;
    }
}

} // namespace weft::ui
