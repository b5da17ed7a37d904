// SPDX-License-Identifier: Apache-2.0
#pragma once
// A source made of numbers for tests: example e holds e, e + 0.25, e + 0.5, ... in "x" and e in
// "id".

#include "data/source.h"

#include <cstring>

namespace weft::test {

class MadeSource : public Source {
public:
    explicit MadeSource(std::int64_t size, Shape shape = {2})
        : size_(size),
          fields_{{"x", DType::f32, std::move(shape), 0, ""}, {"id", DType::i64, {}, size, ""}} {}

    [[nodiscard]] std::int64_t size() const override { return size_; }
    [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
    void read(std::span<const std::int64_t> examples, std::size_t field,
              std::span<std::byte> destination) const override {
        ensureReadable(*this, examples, field, destination);
        std::byte* to = destination.data();
        for (const std::int64_t example : examples) {
            if (field == 1) {
                std::memcpy(to, &example, sizeof(example));
                to += sizeof(example);
                continue;
            }
            for (std::int64_t i = 0; i < elementsOf(fields_[0].shape); ++i) {
                const float x = static_cast<float>(example) + 0.25F * static_cast<float>(i);
                std::memcpy(to, &x, sizeof(x));
                to += sizeof(x);
            }
        }
    }

private:
    std::int64_t size_;
    std::vector<Field> fields_;
};

/// A field of some examples, as numbers.
template <class T>
std::vector<T> fieldOf(const Source& source, std::string_view name,
                       const std::vector<std::int64_t>& examples) {
    const std::size_t field = findField(source.fields(), name).value();
    std::vector<T> numbers(examples.size() *
                           static_cast<std::size_t>(elementsOf(source.fields()[field].shape)));
    source.read(examples, field, std::as_writable_bytes(std::span(numbers)));
    return numbers;
}

} // namespace weft::test
