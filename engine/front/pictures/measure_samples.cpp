// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"
#include "run/execute/feeder.h"
#include <weft/error.h>
#include <weft/samples.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>

namespace weft {

namespace {

constexpr std::int64_t mostChannels = 4096;

/// Calls `take` with the numbers of a field in these many examples, spread over the set.
void readSpread(const Source& source, std::size_t field, std::int64_t count,
                const std::function<void(std::span<const float>)>& take) {
    constexpr std::int64_t mostBytes = 1 << 24;
    const Field& one = source.fields()[field];
    const auto each = static_cast<std::int64_t>(exampleBytes(one));
    const std::int64_t most =
        std::clamp<std::int64_t>(mostBytes / std::max<std::int64_t>(each, 1), 1, 4096);
    std::vector<std::int64_t> examples;
    std::vector<std::byte> bytes;
    std::vector<float> numbers;
    const std::int64_t apart = source.size() / std::max<std::int64_t>(count, 1);
    const std::int64_t rest = source.size() - apart * count;
    for (std::int64_t done = 0; done < count;) {
        examples.clear();
        for (; std::ssize(examples) < most && done < count; ++done) {
            examples.push_back(done * apart + done * rest / count);
        }
        bytes.resize(examples.size() * static_cast<std::size_t>(each));
        source.read(examples, field, bytes);
        numbers.resize(bytes.size() / byteSize(one.dtype));
        convertElements(one.dtype, bytes.data(), DType::f32,
                        reinterpret_cast<std::byte*>(numbers.data()), std::ssize(numbers));
        take(numbers);
    }
}

/// Sums over one channel of differences to its first number, which loses little precision.
struct Sums {
    double first = 0;
    double sum = 0;
    double squares = 0;
    double count = 0;

    void add(double x) {
        first = count == 0 ? x : first;
        sum += x - first;
        squares += (x - first) * (x - first);
        ++count;
    }
    [[nodiscard]] double mean() const { return count == 0 ? 0 : first + sum / count; }
    [[nodiscard]] double deviation() const {
        return count == 0 ? 0
                          : std::sqrt(std::max(0.0, squares / count - sum / count * sum / count));
    }
};

FieldFigures figuresOf(const Source& source, std::size_t field, std::int64_t count) {
    const Field& one = source.fields()[field];
    FieldFigures figures{.name = one.name,
                         .least = std::numeric_limits<double>::infinity(),
                         .most = -std::numeric_limits<double>::infinity()};
    const std::int64_t channels = one.shape.empty() ? 1 : one.shape[0];
    std::vector<Sums> sums(static_cast<std::size_t>(channels <= mostChannels ? channels : 1));
    const auto plane =
        static_cast<std::size_t>(std::max<std::int64_t>(elementsOf(one.shape), 1)) / sums.size();
    readSpread(source, field, count, [&](std::span<const float> numbers) {
        for (std::size_t at = 0; at < numbers.size(); ++at) {
            const double x = numbers[at];
            figures.least = std::min(figures.least, x);
            figures.most = std::max(figures.most, x);
            sums[at / plane % sums.size()].add(x);
        }
    });
    std::ranges::transform(sums, std::back_inserter(figures.mean), &Sums::mean);
    std::ranges::transform(sums, std::back_inserter(figures.deviation), &Sums::deviation);
    return figures;
}

std::vector<std::int64_t> countsOf(const Source& source, std::size_t field) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(source.fields()[field].classes));
    readSpread(source, field, source.size(), [&](std::span<const float> ids) {
        for (const float id : ids) {
            if (id >= 0 && id < static_cast<float>(counts.size())) {
                ++counts[static_cast<std::size_t>(id)];
            }
        }
    });
    return counts;
}

/// Returns a number rounded to six digits.
double rounded(double x) { return std::strtod(fmt::format("{:.6g}", x).c_str(), nullptr); }

} // namespace

SampleFigures measureSamples(const SampleRequest& request, std::int64_t most) {
    SampleRequest plain = request;
    plain.data.attributes.remove("mean");
    plain.data.attributes.remove("std");
    const Data data = openData(plain.data, {plain.folder, plain.others}, sourceKinds());
    const Source& source = *data.training;
    SampleFigures figures{.examples = std::min(most, source.size()), .classNames = data.classNames};
    for (std::size_t field = 0; field < source.fields().size(); ++field) {
        const Field& one = source.fields()[field];
        if (one.classes > 0 && one.shape.empty() && figures.perClass.empty()) {
            figures.perClass = countsOf(source, field);
        } else if (isFloating(one.dtype)) {
            figures.fields.push_back(figuresOf(source, field, figures.examples));
        }
    }
    return figures;
}

Attributes normalisationBy(const SampleFigures& figures, const DataSettings& data) {
    const SourceList kinds = sourceKinds();
    const SourceKind* kind = findSourceKind(kinds, data.source);
    const bool hasMean =
        kind != nullptr &&
        std::ranges::find(kind->attributes, "mean", &AttributeSpec::name) != kind->attributes.end();
    if (!hasMean || figures.fields.empty()) {
        throw Error(ErrorCode::design, Where{.layer = "data.source"},
                    fmt::format("the source {} has no mean and std", data.source),
                    "normalise by a layer, such as batch_norm");
    }
    std::vector<double> mean;
    std::vector<double> deviation;
    for (const double x : figures.fields.front().mean) {
        mean.push_back(rounded(x));
    }
    for (const double x : figures.fields.front().deviation) {
        deviation.push_back(rounded(x) > 0 ? rounded(x)
                                           : 1); // avoids a division by 0 if all values are equal
    }
    return {{"mean", std::move(mean)}, {"std", std::move(deviation)}};
}

} // namespace weft
