// SPDX-License-Identifier: Apache-2.0
#pragma once
// Reads the attributes of a node and remembers which were read: an attribute that nothing reads
// must not change a model silently. Also the exception for a node that is refused.

#include "exchange/onnx/model.h"

#include <exception>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace weft::onnx {

/// The reason why a node is refused: "pads differ ...". Caught per node.
class Refusal : public std::exception {
public:
    explicit Refusal(std::string reason) : reason_(std::move(reason)) {}
    [[nodiscard]] const char* what() const noexcept override { return reason_.c_str(); }

private:
    std::string reason_;
};

/// The accessors return `fallback` if the node has no such attribute, and throw Refusal if it has
/// another type.
class AttributeReader {
public:
    explicit AttributeReader(const Node& node) : node_(node) {}

    [[nodiscard]] std::int64_t whole(std::string_view name, std::int64_t fallback);
    [[nodiscard]] double real(std::string_view name, double fallback);
    [[nodiscard]] std::string text(std::string_view name, std::string fallback);
    [[nodiscard]] Shape wholes(std::string_view name, Shape fallback = {});
    [[nodiscard]] const Attribute* any(std::string_view name); ///< any type; nullptr: none
    /// Marks an attribute as read although its value has no effect here.
    void skip(std::string_view name) { read_.insert(std::string(name)); }
    /// Throws Refusal if the attribute has another value than this one.
    void expect(std::string_view name, std::int64_t only);
    /// Throws Refusal naming the attributes that nothing has read.
    void refuseUnread() const;

private:
    const Attribute* find(std::string_view name, Attribute::ValueType type);

    const Node& node_;
    std::set<std::string, std::less<>> read_; ///< names of the attributes that were read
};

/// Returns the axis counted from the front. Throws Refusal if there is no such axis.
[[nodiscard]] std::size_t axisFromFront(std::int64_t axis, std::size_t rank);

} // namespace weft::onnx
