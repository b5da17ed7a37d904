// SPDX-License-Identifier: Apache-2.0
#include "compile/program_set.h"
#include "compile/registry.h"
#include "compile/spread.h"
#include "data/open.h"
#include "run/train/open_workers.h"
#include <weft/error.h>
#include <weft/infer.h>
#include <weft/prove.h>

#include <algorithm>

namespace weft {

namespace {

std::vector<const Feed*> dataFeeds(const Graph& graph) {
    std::vector<const Feed*> feeds;
    for (const Feed& feed : graph.feeds) {
        if (feed.kind == FeedKind::data) {
            feeds.push_back(&feed);
        }
    }
    return feeds;
}

Shape exampleOf(const Value& value) { return {value.shape.begin() + 1, value.shape.end()}; }

DataDescription dataOf(const Design& design, const DataFolders& folders, const Registry& registry) {
    try {
        return describeData(design.data, folders, registry.sources);
    } catch (const Error&) {
        return {}; // the training data may be gone
    }
}

} // namespace

InferenceForm inferenceForm(const Design& design, const std::filesystem::path& folder,
                            const std::vector<std::filesystem::path>& others) {
    const auto registry = makeRegistry();
    const Design single = onOneDevice(design);
    const ExpandedDesign expanded = expand(single, registry->kinds);
    refuseErrors(expanded.problems);
    const ProgramSetRequest wanted{.design = &single,
                                   .expanded = &expanded,
                                   .ops = &registry->ops,
                                   .layers = &registry->layers,
                                   .optimizers = &registry->optimizers,
                                   .devices = devicesOf(single, {}),
                                   .machine = {},
                                   .members = {{Mode::infer, 1}, {Mode::evaluate, 1}}};
    const Lowered asked = lowerVariant(wanted, wanted.members.front());
    refuseErrors(asked.problems);
    const Lowered evaluated = lowerVariant(wanted, wanted.members.back());
    refuseErrors(evaluated.problems);
    const DataDescription data = dataOf(single, {folder, others}, *registry);
    InferenceForm form{.inputs = {}, .labels = {}, .classNames = data.classNames};
    const std::vector<const Feed*> needed = dataFeeds(asked.graph);
    std::size_t place = 0;
    for (const Feed* feed : dataFeeds(evaluated.graph)) {
        const auto number = fieldFeeding(single.data, data.fields, feed->name, place++);
        if (number && number == data.order.begins) {
            continue; // the examples are one film
        }
        const Field field = number ? data.fields[*number] : Field{};
        const Value& value = evaluated.graph.at(feed->value);
        if (std::ranges::find(needed, feed->name, &Feed::name) != needed.end()) {
            form.inputs.push_back({.layer = feed->name,
                                   .shape = exampleOf(value),
                                   .takesIds = !isFloating(value.dtype),
                                   .field = field.name,
                                   .fieldShape = field.shape});
        } else if (exampleOf(value).empty() && !isFloating(value.dtype)) {
            form.labels = field.name;
        }
    }
    return form;
}

} // namespace weft
