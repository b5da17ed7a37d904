// SPDX-License-Identifier: Apache-2.0
#pragma once
// An indexed set of examples with named fields. A source fills memory of the caller, allocates
// nothing except for decoding pictures, and is thread-safe.

#include "data/example_order.h"
#include <weft/types.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One named part of every example.
struct Field {
    std::string name; ///< "images"
    DType dtype = DType::f32;
    Shape shape = {};         ///< shape of one example; empty: a scalar
    std::int64_t classes = 0; ///< the values are ids below this number; 0: no ids, or unknown
    std::string help = {};    ///< what the field contains, for the user
    bool operator==(const Field&) const = default;
};

/// Returns the bytes of this field in one example.
[[nodiscard]] std::size_t exampleBytes(const Field& field);

class Source {
public:
    virtual ~Source() = default;

    [[nodiscard]] virtual std::int64_t size() const = 0; ///< number of examples
    [[nodiscard]] virtual const std::vector<Field>& fields() const = 0;
    /// Fills `destination`, which has exactly the needed size, with the field of these examples in
    /// order.
    virtual void read(std::span<const std::int64_t> examples, std::size_t field,
                      std::span<std::byte> destination) const = 0;
    /// As `read`, in an epoch of a run: random augmentation (a shift, a mirror) differs per epoch.
    virtual void readIn(std::int64_t epoch, std::span<const std::int64_t> examples,
                        std::size_t field, std::span<std::byte> destination) const {
        static_cast<void>(epoch);
        read(examples, field, destination);
    }
    [[nodiscard]] virtual ExampleOrder order() const { return {}; } ///< default: any
};

using SourcePointer = std::shared_ptr<const Source>;

[[nodiscard]] std::optional<std::size_t> findField(const std::vector<Field>& fields,
                                                   std::string_view name);

/// Checks the preconditions of `read`: field and examples exist, and the destination has their
/// size.
void ensureReadable(const Source& source, std::span<const std::int64_t> examples, std::size_t field,
                    std::span<const std::byte> destination);

} // namespace weft
