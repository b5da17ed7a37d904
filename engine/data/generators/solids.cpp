// SPDX-License-Identifier: Apache-2.0
// Generates round objects seen from above by a colour and a depth camera. Only the first sees the
// hue, only the second the form (ball, cone, drum, bowl, ring), and a class is both. With d the
// distance from the object's centre in units of its radius:
//   colour = light (1 + 0.4 <slope, place>) of the hue, depth = 1 - height relief(d), plus noise
#include "base/philox.h"
#include "data/source_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace weft::generators {

namespace {

constexpr std::array<const char*, 5> formNames = {"ball", "cone", "drum", "bowl", "ring"};

/// Height of the form at d in [0, 1].
float relief(std::int64_t form, float d) {
    switch (form) {
    case 0: return std::sqrt(1 - d * d);
    case 1: return 1 - d;
    case 2: return 1;
    case 3: return 0.3F + 0.7F * d * d;
    default: return std::sin(3.14159265F * d);
    }
}

/// Returns the RGB colour of a hue in [0, 1) at full brightness.
std::array<float, 3> colourOf(float hue) {
    std::array<float, 3> colour = {};
    for (std::size_t channel = 0; channel < 3; ++channel) {
        const float place = hue * 6 + (channel == 0 ? 0 : channel == 1 ? 4 : 2);
        const float turned = std::fmod(place, 6.0F);
        colour[channel] = std::clamp(std::abs(turned - 3) - 1, 0.0F, 1.0F);
    }
    return colour;
}

struct Settings {
    std::uint64_t seed = 1;
    std::int64_t side = 64;
    std::int64_t forms = 3;
    std::int64_t hues = 17;
    float noise = 0.05F;
};

/// One object, the same for both cameras. Lengths are in units of the picture's side.
struct Object {
    std::int64_t form = 0;
    float hue = 0;
    float x = 0, y = 0, radius = 0, height = 0, light = 0;
    std::array<float, 2> slope = {};
};

class SolidsSource final : public Source {
public:
    SolidsSource(std::int64_t size, const Settings& settings, const char* set)
        : size_(size), settings_(settings), set_(set) {
        const std::int64_t side = settings.side;
        fields_ = {
            {"colours", DType::f32, {3, side, side}, 0, "Red, green and blue from 0 to 1."},
            {"depths", DType::f32, {1, side, side}, 0, "Distances; the ground is at 1."},
            {"labels", DType::i32, {}, settings.forms * settings.hues, "form * hues + hue."}};
    }

    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields_[field]);
        for (const std::int64_t example : examples) {
            if (field == 2) {
                const auto label = static_cast<std::int32_t>(labelOf(example));
                std::memcpy(destination.data(), &label, sizeof(label));
            } else {
                const std::span<float> picture(reinterpret_cast<float*>(destination.data()),
                                               bytes / sizeof(float));
                const Philox noise(drawOf(example, field == 0 ? "colour noise" : "depth noise"));
                noise.fillNormal(0, picture);
                const Object object = objectOf(example);
                field == 0 ? paintColour(object, picture) : paintDepth(object, picture);
            }
            destination = destination.subspan(bytes);
        }
    }

private:
    [[nodiscard]] Draw drawOf(std::int64_t example, std::string_view role) const {
        return {.seed = settings_.seed,
                .origin = {},
                .role = role,
                .step = set_ == std::string_view("training") ? example : -1 - example};
    }

    [[nodiscard]] std::int64_t labelOf(std::int64_t example) const {
        const auto classes = static_cast<std::uint64_t>(settings_.forms * settings_.hues);
        return static_cast<std::int64_t>(Philox(drawOf(example, "class")).below(0, classes));
    }

    [[nodiscard]] Object objectOf(std::int64_t example) const {
        const Philox drawn(drawOf(example, "object"));
        const auto between = [&](std::uint64_t element, float low, float high) {
            return low + (high - low) * drawn.uniform(element);
        };
        const std::int64_t label = labelOf(example);
        const float shade = between(0, -0.25F, 0.25F);
        Object object{.form = label / settings_.hues, .radius = between(1, 0.2F, 0.38F)};
        object.hue = (static_cast<float>(label % settings_.hues) + 0.5F + shade) /
                     static_cast<float>(settings_.hues);
        object.x = between(2, object.radius, 1 - object.radius);
        object.y = between(3, object.radius, 1 - object.radius);
        object.height = between(4, 0.4F, 0.8F);
        object.light = between(5, 0.6F, 1);
        object.slope = {between(6, -1, 1), between(7, -1, 1)};
        return object;
    }

    /// Calls `paint(pixel, across, down, d)` for each pixel of the object.
    template <class Paint>
    void cover(const Object& object, const Paint& paint) const {
        for (std::int64_t row = 0; row < settings_.side; ++row) {
            for (std::int64_t column = 0; column < settings_.side; ++column) {
                const auto size = static_cast<float>(settings_.side);
                const float across =
                    ((static_cast<float>(column) + 0.5F) / size - object.x) / object.radius;
                const float down =
                    ((static_cast<float>(row) + 0.5F) / size - object.y) / object.radius;
                const float d = std::sqrt(across * across + down * down);
                if (d < 1) {
                    paint(static_cast<std::size_t>(row * settings_.side + column), across, down, d);
                }
            }
        }
    }

    /// `picture` initially holds noise.
    void paintColour(const Object& object, std::span<float> picture) const {
        const std::size_t plane = picture.size() / 3;
        for (float& value : picture) {
            value = 0.5F + settings_.noise * value;
        }
        const std::array<float, 3> colour = colourOf(object.hue);
        cover(object, [&](std::size_t pixel, float across, float down, float) {
            const float light =
                object.light * (1 + 0.4F * (object.slope[0] * across + object.slope[1] * down));
            for (std::size_t channel = 0; channel < 3; ++channel) {
                picture[channel * plane + pixel] += light * colour[channel] - 0.5F;
            }
        });
        std::ranges::transform(picture, picture.begin(),
                               [](float value) { return std::clamp(value, 0.0F, 1.0F); });
    }

    void paintDepth(const Object& object, std::span<float> picture) const {
        for (float& value : picture) {
            value = 1 + settings_.noise * value;
        }
        cover(object, [&](std::size_t pixel, float, float, float d) {
            picture[pixel] -= object.height * relief(object.form, d);
        });
    }

    std::int64_t size_;
    Settings settings_;
    std::string_view set_;
    std::vector<Field> fields_;
};

Data openSolids(const OpenRequest& request) {
    const Attributes& attributes = request.attributes;
    const Settings settings{.seed = static_cast<std::uint64_t>(attributes.integer("seed")),
                            .side = attributes.integer("side"),
                            .forms = attributes.integer("forms"),
                            .hues = attributes.integer("hues"),
                            .noise = static_cast<float>(attributes.real("noise"))};
    const auto make = [&](const char* attribute, const char* set) -> SourcePointer {
        const std::int64_t count = attributes.integer(attribute);
        return count == 0 ? nullptr : std::make_shared<SolidsSource>(count, settings, set);
    };
    Data data;
    data.training = make("count", "training");
    data.test = make("test_count", "test");
    for (std::int64_t form = 0; form < settings.forms; ++form) {
        for (std::int64_t hue = 0; hue < settings.hues; ++hue) {
            data.classNames.push_back(
                fmt::format("{} {}", formNames[static_cast<std::size_t>(form)], hue));
        }
    }
    return data;
}

} // namespace

void solids(SourceList& list) {
    list.push_back(
        {.name = "solids",
         .title = "Coloured solids",
         .help = "Synthetic round objects, each as a colour image and a depth image. The colour "
                 "image shows the hue, the depth image the shape; the class is the pair. Fields: "
                 "colours [3, side, side], depths [1, side, side] and labels.",
         .attributes = {{.name = "side",
                         .defaultValue = std::int64_t{64},
                         .help = "Image size: rows and columns.",
                         .least = 8,
                         .most = 512},
                        {.name = "forms",
                         .defaultValue = std::int64_t{3},
                         .help = "Number of shapes: ball, cone, drum, bowl, ring.",
                         .least = 1,
                         .most = 5},
                        {.name = "hues",
                         .defaultValue = std::int64_t{17},
                         .help = "Number of hues, evenly spaced.",
                         .least = 1,
                         .most = 1000},
                        {.name = "noise",
                         .defaultValue = 0.05,
                         .help = "Standard deviation of the pixel noise.",
                         .least = 0,
                         .most = 1},
                        {.name = "count",
                         .defaultValue = std::int64_t{4000},
                         .help = "Number of training objects.",
                         .least = 1,
                         .most = mostGenerated},
                        {.name = "test_count",
                         .defaultValue = std::int64_t{500},
                         .help = "Number of test objects, distinct from the training objects.",
                         .least = 0,
                         .most = mostGenerated},
                        {.name = "seed",
                         .defaultValue = std::int64_t{1},
                         .help = "Random seed of the data."}},
         .open = openSolids});
}

} // namespace weft::generators
