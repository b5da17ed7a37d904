// SPDX-License-Identifier: Apache-2.0
#include "base/text/expression.h"
#include "design/edit/editing.h"

#include <fmt/format.h>

namespace weft {

Edited setAttribute(Design& design, const NetworkPath& path, LayerId layer, std::string name,
                    AttributeValue value) {
    Layer* found = layerIn(networkAt(design, path), layer);
    if (found == nullptr) {
        return *missingLayer(networkAt(design, path), {layer});
    }
    if (!hasFiniteNumbers(value)) {
        return refused(fmt::format("{} would be NaN or infinite", name), "enter another number",
                       found);
    }
    found->expressions.erase(name);
    found->attributes.set(std::move(name), std::move(value));
    return done({layer});
}

Edited setExpression(Design& design, const NetworkPath& path, LayerId layer, std::string name,
                     std::string expression) {
    Layer* found = layerIn(networkAt(design, path), layer);
    if (found == nullptr) {
        return *missingLayer(networkAt(design, path), {layer});
    }
    Evaluation evaluation = evaluate(expression, parametersAt(design, path));
    if (!evaluation.value || !hasFiniteNumbers(*evaluation.value)) {
        return refused(fmt::format("{} = {}: {}", name, expression,
                                   evaluation.value ? "not a finite number" : evaluation.problem),
                       "use numbers, + - * /, brackets and the parameters of the group", found);
    }
    found->attributes.set(name, std::move(*evaluation.value));
    found->expressions.insert_or_assign(std::move(name), std::move(expression));
    return done({layer});
}

Edited resetAttribute(Design& design, const NetworkPath& path, LayerId layer,
                      std::string_view name) {
    Layer* found = layerIn(networkAt(design, path), layer);
    if (found == nullptr) {
        return *missingLayer(networkAt(design, path), {layer});
    }
    found->attributes.remove(name);
    found->expressions.erase(std::string(name));
    return done({layer});
}

} // namespace weft
