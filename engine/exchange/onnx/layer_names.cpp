// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/layer_names.h"

namespace weft::onnx {

namespace {

constexpr std::size_t longest = 150; // a number may be appended

bool isPlain(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

/// "/layer1/conv1/Conv" -> "/layer1/conv1": PyTorch appends the operator to the scope.
std::string_view scopeOf(const Node& node) {
    std::string_view name = node.name;
    const std::size_t slash = name.rfind('/');
    if (slash != std::string_view::npos && slash > 0 &&
        name.substr(slash + 1).starts_with(node.op)) {
        name = name.substr(0, slash);
    }
    return name;
}

} // namespace

std::string nameFor(std::string_view text, std::string_view fallback) {
    std::string name;
    for (const char letter : text.substr(0, longest)) {
        const bool isBreak = letter == '/' || letter == '.' || letter == ':';
        const char kept = isBreak ? '.' : isPlain(letter) ? letter : '_';
        if (kept != '.' || (!name.empty() && name.back() != '.')) {
            name += kept;
        }
    }
    while (!name.empty() && name.back() == '.') {
        name.pop_back();
    }
    return name.empty() ? std::string(fallback) : name;
}

std::string layerName(const Node& node, const LayerRequest& request) {
    constexpr std::string_view suffix = ".weight";
    if (request.kind == "input") {
        return nameFor(node.name, "input");
    }
    if (request.name.ends_with(suffix)) {
        return nameFor(
            std::string_view(request.name).substr(0, request.name.size() - suffix.size()),
            request.kind);
    }
    return nameFor(scopeOf(node), request.kind);
}

} // namespace weft::onnx
