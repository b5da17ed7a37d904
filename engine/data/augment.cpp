// SPDX-License-Identifier: Apache-2.0
#include "data/augment.h"

#include "data/films/frame_augmentation.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

namespace weft {

namespace {

/// Moves the content of a plane: element k becomes the former k + shift, and 0 beyond the end.
/// `stride` elements are moved together.
void shift(std::span<float> x, std::int64_t shift, std::int64_t stride) {
    const auto size = std::ssize(x);
    const auto by = std::clamp<std::int64_t>(shift * stride, -size, size);
    if (by >= 0) {
        std::ranges::fill(std::ranges::copy(x.subspan(static_cast<std::size_t>(by)), x.begin()).out,
                          x.end(), 0.0F);
    } else {
        std::ranges::fill(
            x.begin(),
            std::ranges::copy_backward(x.first(static_cast<std::size_t>(size + by)), x.end()).out,
            0.0F);
    }
}

/// Shifts and flips one channel of a picture in place, as the view says.
void view(std::span<float> plane, std::int64_t columns, const FrameView& view) {
    const auto width = static_cast<std::size_t>(columns);
    shift(plane, view.down, columns);
    for (std::size_t at = 0; at < plane.size(); at += width) {
        const auto row = plane.subspan(at, width);
        shift(row, view.right, 1);
        if (view.isMirrored) {
            std::ranges::reverse(row);
        }
    }
    if (view.isUpsideDown) {
        for (std::size_t above = 0, below = plane.size() - width; above < below;
             above += width, below -= width) {
            std::ranges::swap_ranges(plane.subspan(above, width), plane.subspan(below, width));
        }
    }
}

class AugmentedSource final : public Source {
public:
    AugmentedSource(SourcePointer source, std::vector<std::size_t> pictures,
                    const FrameAugmentation& draws)
        : source_(std::move(source)), pictures_(std::move(pictures)), draws_(draws) {}

    [[nodiscard]] std::int64_t size() const override { return source_->size(); }
    [[nodiscard]] const std::vector<Field>& fields() const override { return source_->fields(); }
    [[nodiscard]] ExampleOrder order() const override { return source_->order(); }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        source_->read(examples, field, destination);
    }
    void readIn(std::int64_t epoch, std::span<const std::int64_t> examples, std::size_t field,
                std::span<std::byte> destination) const override {
        source_->readIn(epoch, examples, field, destination);
        if (std::ranges::find(pictures_, field) == pictures_.end()) {
            return;
        }
        const Shape& shape = fields()[field].shape;
        const auto plane = static_cast<std::size_t>(shape[1] * shape[2]);
        std::span<float> x(reinterpret_cast<float*>(destination.data()),
                           destination.size() / sizeof(float));
        for (const std::int64_t example : examples) {
            const FrameView drawn = draws_.viewOf(example, epoch);
            for (std::int64_t channel = 0; channel < shape[0]; ++channel) {
                view(x.first(plane), shape[2], drawn);
                x = x.subspan(plane);
            }
        }
    }

private:
    SourcePointer source_;
    std::vector<std::size_t> pictures_; ///< fields
    FrameAugmentation draws_;
};

} // namespace

Data augmented(Data data, const std::vector<std::size_t>& fields, const OpenRequest& request) {
    const FrameAugmentation draws = frameAugmentation(request.attributes);
    if (draws.isOff()) {
        return data;
    }
    std::vector<std::size_t> pictures;
    std::ranges::copy_if(fields, std::back_inserter(pictures), [&](std::size_t at) {
        const Field& field = data.training->fields()[at];
        return field.dtype == DType::f32 && field.shape.size() == 3 && elementsOf(field.shape) > 0;
    });
    if (pictures.empty()) {
        request.refuse(draws.jitter > 0 ? "jitter" : "flip",
                       "no input is a picture [channels, height, width] in f32",
                       "reset it, or save the pictures in that shape");
    }
    data.training =
        std::make_shared<AugmentedSource>(std::move(data.training), std::move(pictures), draws);
    return data;
}

} // namespace weft
