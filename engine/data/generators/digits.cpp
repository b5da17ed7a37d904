// SPDX-License-Identifier: Apache-2.0
// Generates handwritten digits in the style of MNIST, any number of them, without files.
#include "data/generators/digit_drawing.h"
#include "data/normalise.h"
#include "data/source_kind.h"
#include <weft/error.h>

#include <array>
#include <cstring>
#include <utility>

namespace weft::generators {

namespace {

class DigitSource final : public Source {
public:
    DigitSource(std::int64_t size, DigitDrawing drawing)
        : size_(size), drawing_(std::move(drawing)) {
        fields_.push_back(
            {"images",
             DType::f32,
             {1, static_cast<std::int64_t>(pictureSide), static_cast<std::int64_t>(pictureSide)},
             0,
             "Images [1, 28, 28], grayscale from 0 to 1."});
        fields_.push_back({"labels", DType::i32, {}, 10, "The digit in the image."});
    }

    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        for (const std::int64_t example : examples) {
            if (field == 1) {
                const std::int32_t label = drawing_.label(example);
                std::memcpy(destination.data(), &label, sizeof(label));
                destination = destination.subspan(sizeof(label));
                continue;
            }
            std::array<float, picturePixels> picture;
            drawing_.draw(example, picture);
            std::memcpy(destination.data(), picture.data(), sizeof(picture));
            destination = destination.subspan(sizeof(picture));
        }
    }

private:
    std::int64_t size_;
    DigitDrawing drawing_;
    std::vector<Field> fields_;
};

Data openDigits(const OpenRequest& request) {
    const auto seed = static_cast<std::uint64_t>(request.attributes.integer("seed"));
    const double distortion = request.attributes.real("distortion");
    const auto make = [&](const char* attribute, const char* set) -> SourcePointer {
        const std::int64_t count = request.attributes.integer(attribute);
        return count == 0
                   ? nullptr
                   : std::make_shared<DigitSource>(count, DigitDrawing(seed, set, distortion));
    };
    Data data;
    data.training = make("count", "training digits");
    data.test = make("test_count", "test digits");
    data.classNames = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    return normalised(std::move(data), {0}, request);
}

} // namespace

void digits(SourceList& list) {
    SourceKind kind;
    kind.name = "digits";
    kind.title = "Drawn digits";
    kind.help = "Synthetic handwritten digits, 28x28 grey images like MNIST, generated from the "
                "seed; no download. Fields: images [1, 28, 28] and labels.";
    kind.attributes = {
        {.name = "count",
         .defaultValue = std::int64_t{10000},
         .help = "Number of training digits.",
         .least = 1,
         .most = mostGenerated},
        {.name = "test_count",
         .defaultValue = std::int64_t{1000},
         .help = "Number of test digits, distinct from the training digits.",
         .least = 0,
         .most = mostGenerated},
        {.name = "distortion",
         .defaultValue = 1.0,
         .help = "Variation of the handwriting: 0 is print, 1 is everyday writing.",
         .least = 0,
         .most = 2},
        {.name = "seed", .defaultValue = std::int64_t{1}, .help = "Random seed of the data."}};
    for (AttributeSpec& spec : normalisingAttributes(1)) {
        kind.attributes.push_back(std::move(spec));
    }
    kind.open = openDigits;
    list.push_back(std::move(kind));
}

} // namespace weft::generators
