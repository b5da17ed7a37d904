// SPDX-License-Identifier: Apache-2.0
#include "data/source.h"

#include <weft/error.h>

#include <algorithm>

namespace weft {

std::size_t exampleBytes(const Field& field) {
    return static_cast<std::size_t>(elementsOf(field.shape)) * byteSize(field.dtype);
}

std::optional<std::size_t> findField(const std::vector<Field>& fields, std::string_view name) {
    const auto at = std::ranges::find(fields, name, &Field::name);
    if (at == fields.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(at - fields.begin());
}

void ensureReadable(const Source& source, std::span<const std::int64_t> examples, std::size_t field,
                    std::span<const std::byte> destination) {
    ensure(field < source.fields().size(), "a field that is read exists");
    ensure(
        std::all_of(examples.begin(), examples.end(),
                    [&](std::int64_t example) { return example >= 0 && example < source.size(); }),
        "examples that are read exist");
    ensure(destination.size() == examples.size() * exampleBytes(source.fields()[field]),
           "examples are read into as many bytes as they have");
}

} // namespace weft
