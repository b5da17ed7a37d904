// SPDX-License-Identifier: Apache-2.0
#include "lower/copies.h"

#include "base/check_attributes.h"
#include "base/limits.h"
#include "base/text/expression.h"
#include "lower/growth.h"

#include <fmt/format.h>

namespace weft {

NetworkCopies::NetworkCopies(const Design& design, const std::vector<LayerKindInfo>& kinds,
                             const PortTable& ports, ProblemList& problems)
    : design_(design), kinds_(kinds), ports_(ports), problems_(problems) {
    auto top = std::make_unique<const NetworkIndex>(design.network);
    copies_.push_back({.index = top.get()});
    indices_.emplace(std::string_view(), std::move(top));
    for (const GroupDefinition& group : design.groups) {
        groups_.emplace(group.name, &group);
    }
    if (auto problem = growthProblem(design)) {
        refuseGrowth(std::move(*problem));
    }
    fill(0);
}

/// Makes no copies of a design that is too large, since other errors would only be consequences.
void NetworkCopies::refuseGrowth(Diagnostic problem) {
    isTooLarge_ = true;
    problems_.add(std::move(problem));
}

ProblemSubject NetworkCopies::subject(const LayerCopy& layerCopy) const {
    const NetworkCopy& copy = copies_[layerCopy.copy];
    return {layerCopy.layer->id, nameOf(layerCopy),
            copy.index->group() == nullptr ? std::string() : copy.index->group()->name};
}

std::string NetworkCopies::nameOf(const LayerCopy& layerCopy) const {
    return copies_[layerCopy.copy].prefix + layerCopy.layer->name;
}

Attributes NetworkCopies::evaluatedAttributes(std::size_t copy, const Layer& layer) const {
    Attributes attributes = layer.attributes;
    for (const auto& [name, text] : layer.expressions) {
        Evaluation evaluation = evaluate(text, copies_[copy].parameters);
        if (evaluation.value) {
            attributes.set(name, std::move(*evaluation.value));
            continue;
        }
        problems_.add(
            subject({copy, &layer}),
            {.code = "E020",
             .attribute = name,
             .text = fmt::format("{} = {}: {}", name, text, evaluation.problem),
             .fix = {"write a number, or an expression of numbers and parameters of the group",
                     {}}});
    }
    return attributes;
}

const NetworkIndex& NetworkCopies::indexOf(const GroupDefinition& group) {
    auto& index = indices_[group.name];
    if (index == nullptr) {
        index = std::make_unique<const NetworkIndex>(group.network, &group);
    }
    return *index;
}

void NetworkCopies::checkOnce(const NetworkIndex& index, const std::string& prefix) {
    bool& isChecked = checkedNetworks_[&index];
    if (!isChecked) {
        isChecked = true;
        checkStructure({design_, groups_, kinds_, ports_, problems_}, index, prefix);
    }
}

void NetworkCopies::fill(std::size_t copy) {
    const NetworkIndex& index = *copies_[copy].index;
    checkOnce(index, copies_[copy].prefix);
    for (const Layer& layer : index.network().layers) {
        if (isTooLarge_ || layer.muted || layer.bypassed) {
            continue;
        }
        if (layer.kind == groupKind && groups_.contains(layer.group)) {
            makeInstance(copy, layer);
            continue;
        }
        if (layerCopies_.size() >= limits::layers) {
            refuseGrowth(excessiveGrowthProblem());
            return;
        }
        copies_[copy].layerCopies.emplace(layer.id, layerCopies_.size());
        layerCopies_.push_back({copy, &layer});
    }
}

bool NetworkCopies::isRecursive(const GroupDefinition& group, std::size_t copy,
                                const Layer& instance) {
    std::size_t same = copy;
    while (same != 0 && copies_[same].index->group()->name != group.name) {
        same = copies_[same].parent;
    }
    if (same == 0) {
        return false;
    }
    std::string way = group.name;
    for (std::size_t at = copy; at != copies_[same].parent; at = copies_[at].parent) {
        way.insert(0, copies_[at].index->group()->name + " -> ");
    }
    problems_.add(
        subject({copy, &instance}),
        {.code = "E022",
         .attribute = "group",
         .text = fmt::format("group {} would contain itself: {}", group.name, way),
         .fix = fixBy("remove this instance", "remove", {copies_[copy].prefix + instance.name})});
    return true;
}

bool NetworkCopies::isTooDeep(std::size_t copy, const Layer& instance) {
    if (copies_[copy].depth < limits::nesting) {
        return false;
    }
    problems_.add(subject({copy, &instance}),
                  {.code = "E025",
                   .attribute = "group",
                   .text = fmt::format("groups are nested more than {} deep", limits::nesting),
                   .fix = {"use fewer levels of groups", {}}});
    return true;
}

Attributes NetworkCopies::parametersOf(std::size_t copy, const Layer& instance,
                                       const GroupDefinition& group) const {
    std::vector<AttributeSpec> specs;
    for (const auto& [name, value] : group.parameters.entries()) {
        specs.push_back({.name = name, .defaultValue = value, .help = {}});
    }
    const LayerCopy layerCopy{copy, &instance};
    const std::string owner = "group " + group.name;
    const std::string name = nameOf(layerCopy);
    return checkedAttributes(
        evaluatedAttributes(copy, instance), specs, {.name = owner, .layer = name},
        [&](Diagnostic problem) { problems_.add(subject(layerCopy), std::move(problem)); });
}

void NetworkCopies::makeInstance(std::size_t copy, const Layer& layer) {
    const GroupDefinition& group = *groups_.at(layer.group);
    if (isTooDeep(copy, layer) || isRecursive(group, copy, layer)) {
        copies_[copy].layerCopies.emplace(layer.id, layerCopies_.size());
        layerCopies_.push_back({copy, &layer});
        return;
    }
    const Attributes parameters = parametersOf(copy, layer, group);
    std::size_t previous = 0;
    for (std::int64_t number = 0; number < layer.repeat && !isTooLarge_; ++number) {
        if (copies_.size() > limits::copies) {
            refuseGrowth(excessiveGrowthProblem());
            break;
        }
        const std::size_t made = copies_.size();
        const Assignment* inherited =
            layer.assignment ? &*layer.assignment : copies_[copy].assignment;
        std::string prefix =
            layer.repeat == 1
                ? fmt::format("{}{}/", copies_[copy].prefix, layer.name)
                : fmt::format("{}{}[{}]/", copies_[copy].prefix, layer.name, number + 1);
        copies_.push_back({.index = &indexOf(group),
                           .parent = copy,
                           .depth = copies_[copy].depth + 1,
                           .instance = layer.id,
                           .previous = previous,
                           .parameters = parameters,
                           .assignment = inherited,
                           .prefix = std::move(prefix)});
        previous = made;
        copies_[copy].lastCopies[layer.id] = made;
        fill(made);
    }
}

} // namespace weft
