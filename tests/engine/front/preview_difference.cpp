// SPDX-License-Identifier: Apache-2.0
#include "preview_difference.h"

#include <algorithm>

namespace weft::test {

namespace {

/// Maps are told by what is in them, not by where they are kept.
bool isSame(DevicePreview a, const DevicePreview& b) {
    if (a.step && b.step) {
        if (*a.step->memory != *b.step->memory) {
            return false;
        }
        a.step->memory = b.step->memory;
    }
    return a == b;
}

bool isSame(const std::optional<StepPreview>& a, const std::optional<StepPreview>& b) {
    return a.has_value() == b.has_value() &&
           (!a || (a->time == b->time && a->band == b->band && *a->timeline == *b->timeline &&
                   a->representedBy == b->representedBy && a->shown == b->shown &&
                   a->period == b->period));
}

bool isSame(const std::optional<RunPreview>& a, const std::optional<RunPreview>& b) {
    return a.has_value() == b.has_value() &&
           (!a || (a->members == b->members && a->isDataKnown == b->isDataKnown));
}

} // namespace

std::string differenceOf(const Preview& a, const Preview& b) {
    for (std::size_t k = 0; k < std::min(a.problems.size(), b.problems.size()); ++k) {
        if (!(a.problems[k] == b.problems[k])) {
            return "problem " + toString(a.problems[k]) + " / " + toString(b.problems[k]);
        }
    }
    for (std::size_t k = 0; k < std::min(a.layers.size(), b.layers.size()); ++k) {
        if (!(a.layers[k] == b.layers[k])) {
            return "layer " + b.layers[k].name;
        }
    }
    for (std::size_t k = 0; k < std::min(a.collectives.size(), b.collectives.size()); ++k) {
        if (!(a.collectives[k] == b.collectives[k])) {
            return "collective " + b.collectives[k].name;
        }
    }
    for (std::size_t k = 0; k < std::min(a.devices.size(), b.devices.size()); ++k) {
        if (!isSame(a.devices[k], b.devices[k])) {
            return "device " + b.devices[k].name;
        }
    }
    if (!isSame(a.step, b.step) || !isSame(a.run, b.run)) {
        return "the step or the run";
    }
    const bool areAsMany =
        a.problems.size() == b.problems.size() && a.layers.size() == b.layers.size() &&
        a.collectives.size() == b.collectives.size() && a.devices.size() == b.devices.size() &&
        a.sent == b.sent && a.planned == b.planned && a.isComplete == b.isComplete;
    return areAsMany ? "" : "how much there is";
}

} // namespace weft::test
