// SPDX-License-Identifier: Apache-2.0
#include "data/normalise.h"

#include <weft/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace weft {

namespace {

/// y = x * factor + offset
struct Affine {
    float factor = 1;
    float offset = 0;
    bool operator==(const Affine&) const = default;
};

/// Per field the transformation of each channel; empty for unchanged fields.
using Affines = std::vector<std::vector<Affine>>;

class NormalisedSource final : public Source {
public:
    NormalisedSource(SourcePointer source, Affines affines)
        : source_(std::move(source)), affines_(std::move(affines)) {}

    [[nodiscard]] std::int64_t size() const override { return source_->size(); }
    [[nodiscard]] const std::vector<Field>& fields() const override { return source_->fields(); }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        source_->read(examples, field, destination);
        apply(examples.size(), field, destination);
    }
    void readIn(std::int64_t epoch, std::span<const std::int64_t> examples, std::size_t field,
                std::span<std::byte> destination) const override {
        source_->readIn(epoch, examples, field, destination);
        apply(examples.size(), field, destination);
    }
    [[nodiscard]] ExampleOrder order() const override { return source_->order(); }

private:
    void apply(std::size_t examples, std::size_t field, std::span<std::byte> destination) const {
        const std::vector<Affine>& channels = affines_[field];
        if (channels.empty()) {
            return;
        }
        auto* y = reinterpret_cast<float*>(destination.data());
        const std::size_t plane = destination.size() / sizeof(float) / examples / channels.size();
        for (std::size_t example = 0; example < examples; ++example) {
            for (const Affine& affine : channels) {
                std::transform(y, y + plane, y,
                               [affine](float x) { return x * affine.factor + affine.offset; });
                y += plane;
            }
        }
    }

    SourcePointer source_;
    Affines affines_;
};

std::vector<Affine> affinesOf(const Field& field, const OpenRequest& request) {
    ensure(field.dtype == DType::f32, "only f32 fields are normalised");
    const double scale = request.attributes.real("scale");
    const std::vector<double> mean = request.attributes.reals("mean");
    const std::vector<double> deviation = request.attributes.reals("std");
    const std::size_t channels = field.shape.empty() ? 1 : static_cast<std::size_t>(field.shape[0]);
    for (const auto& [name, list] : {std::pair{"mean", &mean}, std::pair{"std", &deviation}}) {
        if (list->size() > 1 && list->size() != channels) {
            request.refuse(name,
                           fmt::format("{} numbers for {} of shape {}", list->size(), field.name,
                                       toString(field.shape)),
                           fmt::format("give one number, or {}", channels));
        }
    }
    const auto pick = [](const std::vector<double>& list, std::size_t channel, double fallback) {
        return list.empty() ? fallback : list[list.size() == 1 ? 0 : channel];
    };
    std::vector<Affine> affines;
    for (std::size_t channel = 0; channel < std::max(mean.size(), deviation.size()) || channel == 0;
         ++channel) {
        const double divisor = pick(deviation, channel, 1);
        if (!(divisor > 0)) {
            request.refuse("std", fmt::format("{} is not a standard deviation", divisor),
                           "use numbers above 0");
        }
        affines.push_back({static_cast<float>(scale / divisor),
                           static_cast<float>(-pick(mean, channel, 0) / divisor)});
    }
    return affines;
}

} // namespace

std::vector<AttributeSpec> normalisingAttributes(double scale) {
    return {
        {.name = "scale",
         .defaultValue = scale,
         .help = "Factor applied to the values first; 1/255 maps bytes to 0..1."},
        {.name = "mean",
         .defaultValue = std::vector<double>{},
         .help =
             "Mean subtracted from the scaled values: one number, or one per channel or column."},
        {.name = "std",
         .defaultValue = std::vector<double>{},
         .help =
             "Standard deviation that the result is divided by: one number, or one per channel or "
             "column."}};
}

Data normalised(Data data, const std::vector<std::size_t>& fields, const OpenRequest& request) {
    Affines affines(data.training->fields().size());
    bool changes = false;
    for (const std::size_t field : fields) {
        affines[field] = affinesOf(data.training->fields()[field], request);
        changes = changes || affines[field] != std::vector<Affine>{Affine{}};
    }
    if (!changes) {
        return data;
    }
    for (SourcePointer* source : {&data.training, &data.validation, &data.test}) {
        if (*source) {
            *source = std::make_shared<NormalisedSource>(std::move(*source), affines);
        }
    }
    return data;
}

} // namespace weft
