// SPDX-License-Identifier: Apache-2.0
#pragma once
// Layer kinds as data for the palette, search, inspector, help pages, `weft layers` and the
// checker. Built from the declarations in engine/layers and constant after start.

#include <weft/attributes.h>
#include <weft/design.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// The element types that an input accepts.
enum class PortType : std::uint8_t {
    floating, ///< f32 or f64
    whole,    ///< i32 or i64: classes, ids
    any       ///< any element type
};

struct PortInfo {
    std::string name;
    std::string help;
    bool optional = false;       ///< true: the port may stay without a wire
    std::string replacedBy = {}; ///< list attribute; the port is optional only if it has numbers
    /// Input: takes any number of wires, at ports x0, x1, ... (add, concat). Output: one port for
    /// each element of the attribute `perElementOf`: y0, y1, ... (split)
    bool variadic = false;
    PortType type = PortType::floating;
    std::string perElementOf = {}; ///< name of a list; empty: an input, or one port
};

struct ParameterInfo {
    std::string name; ///< "weight"; in files the tensor is named `layer.weight`
    std::string help;
    bool isDictionary = false; ///< true for atoms, each with the shape of a patch of input `x`
};

struct LayerKindInfo {
    std::string kind;     ///< name in the file: "conv2d"
    std::string title;    ///< "Convolution"
    std::string category; ///< "convolution", "loss" ...: the palette's group and the icon
    std::string icon;     ///< empty: the category's icon
    /// what the layer computes and what its attributes mean, with PyTorch's terms where they differ
    std::string help;
    std::vector<std::string> synonyms; ///< other names that a search finds
    std::vector<PortInfo> inputs;
    std::vector<PortInfo> outputs;
    std::vector<AttributeSpec> attributes;
    std::vector<ParameterInfo> parameters; ///< trained tensors and statistics
    /// State kept from step to step for each batch element. Elements are then independent networks
    /// that only the word `batch` can split.
    std::vector<ParameterInfo> states = {}; ///< state of each batch element, kept from step to step
};

/// Returns all layer kinds in list order. The caller builds the list once and passes it on.
[[nodiscard]] std::vector<LayerKindInfo> catalogue();

/// Returns true if an input of a layer with these attributes may stay without a wire.
[[nodiscard]] bool isOptional(const PortInfo& port, const Attributes& attributes);

/// Returns the names of the output ports of a layer with these attributes, which may lack defaults.
[[nodiscard]] std::vector<std::string> outputPorts(const LayerKindInfo& kind,
                                                   const Attributes& given);

/// Returns one sentence for each op, by name: what the op computes. The caller builds it once.
[[nodiscard]] std::map<std::string, std::string> opHelps();

/// Returns the initial attributes of a new layer, with a sensible value for each required
/// attribute.
[[nodiscard]] Attributes startingAttributes(const LayerKindInfo& kind);

[[nodiscard]] const LayerKindInfo* findKind(const std::vector<LayerKindInfo>& kinds,
                                            std::string_view kind);

[[nodiscard]] bool isResult(const LayerKindInfo& kind); ///< a loss or metric, which no layer reads

/// Returns the layer's dictionary parameter, or nullptr if it has none.
[[nodiscard]] const ParameterInfo* dictionaryOf(const LayerKindInfo& kind);

} // namespace weft
