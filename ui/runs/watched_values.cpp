// SPDX-License-Identifier: Apache-2.0
#include "runs/watched_values.h"

#include <algorithm>
#include <map>
#include <utility>

namespace weft::ui {

namespace {

std::string fileNameOf(std::string layer) {
    std::ranges::replace(layer, '/', '.');
    return layer;
}

/// Returns the position of a name's part after the layer: the last word, or the last two for a
/// gradient.
std::size_t partOf(const std::string& name) {
    std::size_t dot = name.rfind('.');
    if (dot != std::string::npos && name.substr(dot) == ".gradient" && dot > 0) {
        dot = name.rfind('.', dot - 1);
    }
    return dot;
}

} // namespace

std::vector<WatchedValue> watchedValues(const std::filesystem::path& run,
                                        const std::vector<RunFile>& tensors,
                                        const std::vector<RunFile>& checkpoints,
                                        const std::vector<std::string>& weights) {
    std::map<std::pair<std::string, std::string>, WatchedValue> newest;
    const auto add = [&](const std::string& name, WatchedValue value) {
        const std::size_t dot = partOf(name);
        if (dot == std::string::npos) {
            return;
        }
        value.layer = fileNameOf(name.substr(0, dot));
        value.part = name.substr(dot + 1);
        WatchedValue& known = newest[{value.layer, value.part}];
        if (known.file.empty() || known.step <= value.step) {
            known = std::move(value);
        }
    };
    for (const RunFile& file : tensors) {
        const std::string stem = std::filesystem::path(file.path).stem().string();
        const std::size_t dot = stem.find('.');
        if (dot == std::string::npos) {
            continue;
        }
        const bool isGradient = stem.ends_with(".gradient");
        add(stem.substr(dot + 1), {.kind = isGradient ? ValueKind::gradient : ValueKind::activation,
                                   .step = file.step,
                                   .file = run / file.path});
    }
    if (!checkpoints.empty()) {
        const RunFile& last = checkpoints.back();
        for (const std::string& name : weights) {
            add(name, {.kind = ValueKind::weight,
                       .step = last.step,
                       .file = run / last.path,
                       .tensor = name});
        }
    }
    std::vector<WatchedValue> values;
    values.reserve(newest.size());
    for (auto& [key, value] : newest) {
        values.push_back(std::move(value));
    }
    return values;
}

bool belongsTo(const WatchedValue& value, const std::string& layer) {
    return value.layer == fileNameOf(layer);
}

} // namespace weft::ui
