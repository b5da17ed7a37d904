// SPDX-License-Identifier: Apache-2.0
#include "data/first_examples.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace weft {

namespace {

class HeldSource final : public Source {
public:
    HeldSource(const Source& source, std::int64_t examples)
        : size_(examples), fields_(source.fields()), order_(source.order()) {
        std::vector<std::int64_t> all(static_cast<std::size_t>(examples));
        std::iota(all.begin(), all.end(), 0);
        for (std::size_t field = 0; field < fields_.size(); ++field) {
            bytes_.emplace_back(all.size() * exampleBytes(fields_[field]));
            source.read(all, field, bytes_.back());
        }
        for (std::int64_t& start : order_.starts) {
            start %= size_;
        }
    }

    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
    [[nodiscard]] ExampleOrder order() const override { return order_; }

    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        const std::size_t bytes = exampleBytes(fields_[field]);
        for (const std::int64_t example : examples) {
            std::memcpy(destination.data(),
                        bytes_[field].data() + static_cast<std::size_t>(example) * bytes, bytes);
            destination = destination.subspan(bytes);
        }
    }

private:
    std::int64_t size_;
    std::vector<Field> fields_;
    ExampleOrder order_;
    std::vector<std::vector<std::byte>> bytes_; ///< by field
};

} // namespace

SourcePointer loadFirstExamples(const SourcePointer& source, std::int64_t examples) {
    return std::make_shared<HeldSource>(*source, std::min(examples, source->size()));
}

} // namespace weft
