// SPDX-License-Identifier: Apache-2.0
#include "design/write_parts.h"
#include <weft/error.h>

#include <cmath>

namespace weft {

Json numberJson(double value) {
    // Whole numbers are written without a fraction: positions are mostly whole.
    constexpr double exact = 1e15;
    if (std::trunc(value) == value && std::abs(value) < exact) {
        return static_cast<std::int64_t>(value);
    }
    return value;
}

Json pointJson(Point point) { return Json::array({numberJson(point.x), numberJson(point.y)}); }

Json unknownOf(const std::string& text) {
    if (text.empty()) {
        return Json::object();
    }
    try {
        // The library's own way takes quadratic time over many keys.
        Json value = parseJson(text, "unknown");
        return value.is_object() ? value : Json::object();
    } catch (const Error&) {
        return Json::object();
    }
}

bool hasObject(const Json& unknown, std::string_view key) {
    const auto found = unknown.find(key);
    return found != unknown.end() && found->is_object();
}

void addUnknown(Json& made, const Json& unknown) {
    std::set<std::string, std::less<>> known;
    for (const auto& [key, value] : made.items()) {
        known.insert(key);
    }
    for (const auto& [key, value] : unknown.items()) {
        if (!known.contains(key)) {
            append(made, key, value);
        } else if (Json& there = made[key]; there.is_object() && value.is_object()) {
            addUnknown(there, value);
        }
    }
}

Json toJson(const AttributeValue& value) {
    return std::visit([](const auto& held) { return Json(held); }, value);
}

Json toJson(const Assignment& assignment) {
    Json words = Json::array();
    for (const AxisWord word : assignment.words) {
        words.push_back(nameOf(word));
    }
    Json axes = words.size() == 1 ? words.front() : words;
    if (assignment.devices.empty() && assignment.mesh.empty() && !words.empty()) {
        return axes;
    }
    Json made = Json::object();
    if (assignment.devices.size() == 1) {
        made["on"] = assignment.devices.front();
    } else if (!assignment.devices.empty()) {
        made["on"] = assignment.devices;
    }
    if (!assignment.mesh.empty()) {
        made["mesh"] = assignment.mesh;
    }
    if (!words.empty()) {
        made["axes"] = std::move(axes);
    }
    return made;
}

Json assignmentJson(const Assignment& assignment, const Json& unknown) {
    Json made = toJson(assignment);
    if (hasObject(unknown, "assign") && !made.is_object()) {
        Json whole = Json::object();
        whole["axes"] = std::move(made);
        return whole;
    }
    return made;
}

Json attributesJson(const Attributes& attributes,
                    const std::map<std::string, std::string>& expressions, const Json& unknown) {
    std::set<std::string_view> names;
    for (const auto& [name, value] : attributes.entries()) {
        names.insert(name);
    }
    for (const auto& [name, text] : expressions) {
        names.insert(name);
    }
    Json made = Json::object();
    for (const std::string_view name : names) {
        const AttributeValue* value = attributes.find(name);
        const auto expression = expressions.find(std::string(name));
        Json entry = Json::object();
        if (expression != expressions.end()) {
            entry["as"] = expression->second;
        } else if (!hasObject(unknown, name)) {
            append(made, std::string(name), toJson(*value));
            continue;
        }
        if (value != nullptr) {
            entry["value"] = toJson(*value);
        }
        append(made, std::string(name), std::move(entry));
    }
    return made;
}

namespace {

// "sgd", or {"kind": "sgd", "with": {"momentum": 0.9}} where there is more to say.
Json kindJson(const std::string& kind, const Attributes& attributes, bool hasMore) {
    if (attributes.entries().empty() && !hasMore) {
        return kind;
    }
    Json made = Json::object();
    made["kind"] = kind;
    if (!attributes.entries().empty()) {
        made["with"] = attributesJson(attributes, {}, Json::object());
    }
    return made;
}

void addUnless(Json& made, const char* key, Json value, const Json& fallback) {
    if (value != fallback) {
        made[key] = std::move(value);
    }
}

// Always written, so that a reader sees it; but what could not be read stands until it is mended.
void addUnlessRefused(Json& made, const char* key, Json value, const Json& fallback,
                      const Json& unknown) {
    if (!unknown.contains(key) || value != fallback) {
        made[key] = std::move(value);
    }
}

} // namespace

Json dataJson(const DataSettings& data) {
    const DataSettings usual;
    const Json unknown = unknownOf(data.unknown);
    Json made = Json::object();
    if (!data.source.empty() || !data.attributes.entries().empty()) {
        made["source"] = kindJson(data.source, data.attributes, hasObject(unknown, "source"));
    }
    if (!data.feeds.empty()) {
        Json feeds = Json::object();
        for (const auto& [layer, field] : data.feeds) {
            append(feeds, layer, field);
        }
        made["feeds"] = std::move(feeds);
    }
    addUnlessRefused(made, "batch", data.batch, usual.batch, unknown);
    addUnless(made, "validation", numberJson(data.validation), numberJson(usual.validation));
    addUnless(made, "order", data.order, usual.order);
    addUnless(made, "last_batch", data.lastBatch, usual.lastBatch);
    addUnknown(made, unknown);
    return made;
}

Json trainingJson(const TrainingSettings& training) {
    const TrainingSettings usual;
    const Json unknown = unknownOf(training.unknown);
    Json made = Json::object();
    const bool hasMore = hasObject(unknown, "optimizer");
    addUnlessRefused(made, "optimizer",
                     kindJson(training.optimizer, training.optimizerAttributes, hasMore),
                     usual.optimizer, hasMore ? Json::object() : unknown);
    addUnlessRefused(made, "learning_rate", numberJson(training.learningRate),
                     numberJson(usual.learningRate), unknown);
    addUnless(
        made, "schedule",
        kindJson(training.schedule, training.scheduleAttributes, hasObject(unknown, "schedule")),
        usual.schedule);
    addUnless(made, "clip_norm", numberJson(training.clipNorm), numberJson(usual.clipNorm));
    addUnless(made, "steps", training.steps, usual.steps);
    addUnless(made, "epochs", numberJson(training.epochs), numberJson(usual.epochs));
    addUnless(made, "seconds", numberJson(training.seconds), numberJson(usual.seconds));
    if (!training.targetMetric.empty() || training.target != usual.target) {
        Json target = Json::object();
        target["metric"] = training.targetMetric;
        target["value"] = numberJson(training.target);
        made["target"] = std::move(target);
    }
    addUnless(made, "evaluate_every", training.evaluateEvery, usual.evaluateEvery);
    addUnless(made, "checkpoint_every", training.checkpointEvery, usual.checkpointEvery);
    addUnless(made, "seed", training.seed, usual.seed);
    addUnless(made, "order", training.order, usual.order);
    addUnless(made, "lanes", training.lanes, usual.lanes);
    addUnless(made, "bucket_megabytes", numberJson(training.bucketMegabytes),
              numberJson(usual.bucketMegabytes));
    addUnknown(made, unknown);
    return made;
}

Json deviceJson(const DeviceDeclaration& device) {
    const DeviceDeclaration usual;
    Json made = Json::object();
    made["name"] = device.name;
    addUnless(made, "cores", device.cores, usual.cores);
    addUnless(made, "colour", device.colour, usual.colour);
    addUnless(made, "sheet", device.sheet, usual.sheet);
    addUnknown(made, unknownOf(device.unknown));
    return made.size() == 1 ? made["name"] : made;
}

} // namespace weft
