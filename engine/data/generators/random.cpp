// SPDX-License-Identifier: Apache-2.0
// Generates noise with random labels, or random ids with random targets, for benchmarks at the cost
// of a copy: each example is a random section of one table drawn at the start.
#include "base/philox.h"
#include "data/arrays/array.h"
#include "data/source_kind.h"
#include <weft/error.h>

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

namespace weft::generators {

namespace {

constexpr std::int64_t largestExample = 1'000'000'000;
constexpr std::size_t tableSize = std::size_t{1} << 20U;

template <class Value>
class RandomSource final : public Source {
public:
    /// Fields: the values, then labels (one id, or as many as there are values).
    RandomSource(std::int64_t size, std::vector<Field> fields, std::uint64_t seed, const char* set)
        : size_(size),
          fields_(std::move(fields)),
          places_({.seed = seed, .role = set}),
          table_(tableSize),
          ids_(tableSize) {
        if constexpr (std::is_same_v<Value, float>) {
            Philox({.seed = seed, .role = "values"}).fillNormal(0, table_);
        } else {
            fillIds({.seed = seed, .role = "values"}, fields_[0].classes, table_);
        }
        fillIds({.seed = seed, .role = "labels"}, fields_[1].classes, ids_);
    }

    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        for (const std::int64_t example : examples) {
            const auto place = places_.bits(static_cast<std::uint64_t>(example)) % tableSize;
            const std::span<std::byte> one = destination.first(exampleBytes(fields_[field]));
            if (field == 0) {
                copyFrom(table_, place, one);
            } else {
                copyFrom(ids_, place, one);
            }
            destination = destination.subspan(one.size());
        }
    }

private:
    static void fillIds(const Draw& draw, std::int64_t classes, std::span<std::int32_t> ids) {
        const Philox random(draw);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            ids[i] =
                static_cast<std::int32_t>(random.below(i, static_cast<std::uint64_t>(classes)));
        }
    }

    template <class Element>
    static void copyFrom(const std::vector<Element>& table, std::size_t place,
                         std::span<std::byte> destination) {
        while (!destination.empty()) {
            const std::size_t bytes =
                std::min(destination.size(), (tableSize - place) * sizeof(Element));
            std::memcpy(destination.data(), table.data() + place, bytes);
            destination = destination.subspan(bytes);
            place = 0;
        }
    }

    std::int64_t size_;
    std::vector<Field> fields_;
    Philox places_;
    std::vector<Value> table_;
    std::vector<std::int32_t> ids_;
};

Data openRandom(const OpenRequest& request) {
    const Attributes& attributes = request.attributes;
    const Shape shape = attributes.integers("shape");
    const auto seed = static_cast<std::uint64_t>(attributes.integer("seed"));
    const std::int64_t classes = attributes.integer("classes");
    const auto bytes = bytesOf(shape, sizeof(float));
    if (!bytes || *bytes > largestExample) {
        request.refuse("shape", "an example of " + toString(shape) + " is too large",
                       "keep it under 1 GB");
    }
    Data data;
    const bool areIds = attributes.text("values") == "ids";
    std::vector<Field> fields;
    if (areIds) {
        fields.push_back({"ids", DType::i32, shape, classes, "Ids, uniformly distributed."});
        fields.push_back({"targets", DType::i32, shape, classes, "Ids, uniformly distributed."});
    } else {
        fields.push_back({"images", DType::f32, shape, 0, "Gaussian noise."});
        fields.push_back({"labels", DType::i32, {}, classes, "Classes, uniformly distributed."});
    }
    const auto make = [&](std::int64_t count, const char* set) -> SourcePointer {
        if (count == 0) {
            return nullptr;
        }
        if (areIds) {
            return std::make_shared<RandomSource<std::int32_t>>(count, fields, seed, set);
        }
        return std::make_shared<RandomSource<float>>(count, fields, seed, set);
    };
    data.training = make(attributes.integer("count"), "training");
    data.test = make(attributes.integer("test_count"), "test");
    return data;
}

} // namespace

void random(SourceList& list) {
    list.push_back(
        {.name = "random",
         .title = "Random numbers",
         .help = "Random data for benchmarks; there is nothing to learn. Fields: images and "
                 "labels, or ids and targets.",
         .attributes =
             {{.name = "values",
               .defaultValue = std::string("images"),
               .help =
                   "images: Gaussian noise with a label each; ids: integers with as many targets.",
               .choices = {"images", "ids"}},
              {.name = "shape",
               .defaultValue = std::vector<std::int64_t>{1, 28, 28},
               .help = "Shape of one example.",
               .least = 1,
               .most = 1 << 24},
              {.name = "classes",
               .defaultValue = std::int64_t{10},
               .help = "Number of classes or ids.",
               .least = 1,
               .most = 1 << 30},
              {.name = "count",
               .defaultValue = std::int64_t{10000},
               .help = "Number of training examples.",
               .least = 1,
               .most = mostGenerated},
              {.name = "test_count",
               .defaultValue = std::int64_t{0},
               .help = "Number of test examples.",
               .least = 0,
               .most = mostGenerated},
              {.name = "seed",
               .defaultValue = std::int64_t{1},
               .help = "Random seed of the data."}},
         .open = openRandom});
}

} // namespace weft::generators
