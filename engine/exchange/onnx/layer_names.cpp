// SPDX-License-Identifier: Apache-2.0
#include "exchange/onnx/layer_names.h"

#include <algorithm>

namespace weft::onnx {

namespace {

constexpr std::size_t longest =
    150; // characters; leaves room for a number that makes the name unique

bool isPlain(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

/// Returns "layer1.0/relu" for the node name "/layer1/layer1.0/relu/Relu": PyTorch appends the
/// operator to the scope, and repeats the name of a module list in the names of its members.
std::string scopeOf(const Node& node) {
    std::string scope;
    std::size_t last = 0; // index at which the last part of `scope` begins
    for (std::size_t begin = 0; begin < node.name.size();) {
        const std::size_t end = std::min(node.name.find('/', begin), node.name.size());
        const std::string_view part = std::string_view(node.name).substr(begin, end - begin);
        const bool isOperator =
            end == node.name.size() && !scope.empty() && part.starts_with(node.op);
        const std::string_view list = std::string_view(scope).substr(last);
        const bool isMember = !list.empty() && part.size() > list.size() &&
                              part.starts_with(list) && part[list.size()] == '.';
        if (isMember) {
            scope.resize(last);
        } else if (!scope.empty() && !isOperator) {
            scope += '/';
            last = scope.size();
        }
        scope += isOperator ? std::string_view() : part;
        begin = end + 1;
    }
    return scope;
}

} // namespace

std::string validLayerName(std::string_view text, std::string_view fallback) {
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
        return validLayerName(node.name, "input");
    }
    if (request.name.ends_with(suffix)) {
        return validLayerName(
            std::string_view(request.name).substr(0, request.name.size() - suffix.size()),
            request.kind);
    }
    return validLayerName(scopeOf(node), request.kind);
}

} // namespace weft::onnx
