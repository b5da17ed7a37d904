// SPDX-License-Identifier: Apache-2.0
#include "base/expression.h"
#include "design/editing.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace weft {

namespace {

bool isFinite(const AttributeValue& value) {
    if (const auto* real = std::get_if<double>(&value)) {
        return std::isfinite(*real);
    }
    const auto* reals = std::get_if<std::vector<double>>(&value);
    return reals == nullptr ||
           std::ranges::all_of(*reals, [](double real) { return std::isfinite(real); });
}

} // namespace

Edited setAttribute(Design& design, const NetworkPath& path, LayerId id, std::string name,
                    AttributeValue value) {
    Layer* layer = layerIn(networkAt(design, path), id);
    if (layer == nullptr) {
        return *missingLayer(networkAt(design, path), {id});
    }
    if (!isFinite(value)) {
        return refused(fmt::format("{} would not be a finite number", name), "type another number",
                       layer);
    }
    layer->expressions.erase(name);
    layer->attributes.set(std::move(name), std::move(value));
    return done({id});
}

Edited setExpression(Design& design, const NetworkPath& path, LayerId id, std::string name,
                     std::string expression) {
    Layer* layer = layerIn(networkAt(design, path), id);
    if (layer == nullptr) {
        return *missingLayer(networkAt(design, path), {id});
    }
    Evaluation evaluation = evaluate(expression, parametersAt(design, path));
    if (!evaluation.value || !isFinite(*evaluation.value)) {
        return refused(fmt::format("{} = {}: {}", name, expression,
                                   evaluation.value ? "not a finite number" : evaluation.problem),
                       "type numbers, + - * /, brackets and the parameters of its group", layer);
    }
    layer->attributes.set(name, std::move(*evaluation.value));
    layer->expressions.insert_or_assign(std::move(name), std::move(expression));
    return done({id});
}

Edited resetAttribute(Design& design, const NetworkPath& path, LayerId id, std::string_view name) {
    Layer* layer = layerIn(networkAt(design, path), id);
    if (layer == nullptr) {
        return *missingLayer(networkAt(design, path), {id});
    }
    layer->attributes.remove(name);
    layer->expressions.erase(std::string(name));
    return done({id});
}

} // namespace weft
