// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layer kinds as data: what palette, search, inspector, help pages, `weft layers` and the checker
// show. Made from the declarations in layers/, one file per kind; const after start.

#include <weft/attributes.h>
#include <weft/design.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What an input takes.
enum class PortType : std::uint8_t {
    floating, ///< f32 or f64
    whole,    ///< i32 or i64: classes, ids
    any
};

struct PortInfo {
    std::string name;
    std::string help;
    bool optional = false;
    bool variadic = false; ///< takes any number of wires: ports x0, x1, ... (add, concat)
    PortType type = PortType::floating;
};

struct ParameterInfo {
    std::string name; ///< "weight": the file's tensor is `layer.weight`
    std::string help;
    bool isDictionary = false; ///< atoms, each of the shape of a patch of the layer's input `x`
};

struct LayerKindInfo {
    std::string kind;     ///< as it stands in the file: "conv2d"
    std::string title;    ///< "Convolution"
    std::string category; ///< "convolution", "loss" ...: groups the palette, gives the icon
    std::string icon;     ///< empty: the category's
    /// what it computes, what its words mean, in PyTorch's terms where they differ
    std::string help;
    std::vector<std::string> synonyms;
    std::vector<PortInfo> inputs;
    std::vector<PortInfo> outputs;
    std::vector<AttributeSpec> attributes;
    std::vector<ParameterInfo> parameters;
    /// What it remembers from step to step, for each element of the batch its own; then elements
    /// are networks of their own, which no word but `batch` divides.
    std::vector<ParameterInfo> states = {};
};

/// All kinds in the order of the list, made once by the caller that needs it and then passed on.
[[nodiscard]] std::vector<LayerKindInfo> catalogue();

/// What a new layer of the kind begins with: a sensible value for each attribute that is required.
[[nodiscard]] Attributes startingAttributes(const LayerKindInfo& kind);

[[nodiscard]] const LayerKindInfo* findKind(const std::vector<LayerKindInfo>& kinds,
                                            std::string_view kind);

/// The one of its parameters that is a dictionary; nullptr: none is.
[[nodiscard]] const ParameterInfo* dictionaryOf(const LayerKindInfo& kind);

} // namespace weft
