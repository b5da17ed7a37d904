// SPDX-License-Identifier: Apache-2.0
#include "results/recorded.h"

#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// Returns 12 for "step-000000012".
std::optional<std::int64_t> stepNamed(std::string_view text) {
    constexpr std::string_view before = "step-";
    std::int64_t step = 0;
    if (!text.starts_with(before)) {
        return std::nullopt;
    }
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data() + before.size(), end, step);
    return read.ec == std::errc() && read.ptr == end ? std::optional(step) : std::nullopt;
}

} // namespace

RecordedValues recordedValuesIn(const fs::path& folder) {
    RecordedValues all;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string stem = entry.path().stem().string();
        const std::size_t dot = stem.find('.');
        if (entry.path().extension() != ".npy" || dot == std::string::npos) {
            continue;
        }
        if (const auto step = stepNamed(std::string_view(stem).substr(0, dot))) {
            all[stem.substr(dot + 1)].push_back({*step, entry.path()});
        }
    }
    for (auto& [name, steps] : all) {
        std::ranges::sort(steps, {}, &RecordedStep::step);
    }
    return all;
}

std::vector<RecordedStep> recordedStepsOf(const fs::path& folder, const std::string& name,
                                          const std::string& remedy) {
    const RecordedValues all = recordedValuesIn(folder);
    if (const auto found = all.find(name); found != all.end()) {
        return found->second;
    }
    std::vector<std::string> known;
    known.reserve(all.size());
    for (const auto& [other, steps] : all) {
        known.push_back(other);
    }
    throw Error(ErrorCode::usage, Where{.file = folder.string()},
                "contains no value \"" + name + "\"",
                known.empty() ? remedy : fmt::format("choose one of {}", fmt::join(known, ", ")));
}

RecordedSeries readSeries(const std::string& name, const std::vector<RecordedStep>& steps) {
    RecordedSeries made;
    const Shape shape = readTensor(steps.back().file).shape;
    for (const RecordedStep& one : steps) {
        const TensorNumbers numbers = readTensor(one.file);
        if (numbers.shape != shape) {
            ++made.leftOut;
            continue;
        }
        made.steps.push_back(one.step);
        made.numbers.numbers.insert(made.numbers.numbers.end(), numbers.numbers.begin(),
                                    numbers.numbers.end());
    }
    made.numbers.name = name;
    made.numbers.shape = shape;
    made.numbers.shape.insert(made.numbers.shape.begin(),
                              static_cast<std::int64_t>(made.steps.size()));
    return made;
}

std::vector<MetricSeries> meanCurves(const RecordedSeries& series, std::size_t most) {
    const Shape& shape = series.numbers.shape;
    const std::int64_t rounds = shape.size() > 1 ? shape[1] : 1;
    const std::int64_t each = elementsOf(shape) / std::max<std::int64_t>(1, shape.front() * rounds);
    std::vector<MetricSeries> made;
    const std::size_t count = std::min(most, series.steps.size());
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t at = series.steps.size() - 1 - k * series.steps.size() / count;
        MetricSeries one;
        one.metric.name =
            fmt::format("{}, step {}, mean of {}", series.numbers.name, series.steps[at], each);
        const float* from =
            series.numbers.numbers.data() + static_cast<std::int64_t>(at) * rounds * each;
        for (std::int64_t round = 0; round < rounds; ++round) {
            double sum = 0;
            for (std::int64_t element = 0; element < each; ++element) {
                sum += static_cast<double>(from[round * each + element]);
            }
            one.steps.push_back(round + 1);
            one.values.push_back(sum / static_cast<double>(std::max<std::int64_t>(1, each)));
        }
        made.push_back(std::move(one));
    }
    return made;
}

} // namespace weft
