// SPDX-License-Identifier: Apache-2.0
#include "compile/check_feeds.h"

#include "base/text/mending.h"
#include "base/text/names_of.h"
#include "data/attribute_naming_file.h"
#include "data/batcher.h"
#include "transform/id_ranges.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace weft {

namespace {

class FeedCheck {
public:
    FeedCheck(const FeedCheckRequest& request, const DataDescription& data)
        : settings_(request.design->data),
          sources_(request.registry->sources),
          fields_(data.fields),
          begins_(data.order.begins),
          graph_(*request.graph),
          isWhole_(request.isWhole) {}

    std::vector<Diagnostic> run() {
        std::size_t number = 0;
        for (std::size_t f = 0; f < graph_.feeds.size(); ++f) {
            if (graph_.feeds[f].kind != FeedKind::data) {
                continue;
            }
            const Feed& feed = graph_.feeds[f];
            if (!isWhole_ && !isNamed(feed)) {
                continue;
            }
            if (const auto field = fieldFeeding(settings_, fields_, feed.name, number++)) {
                fits(feed, fields_[*field]);
                fed_[f] = *field;
            } else {
                missing(feed);
            }
        }
        if (isWhole_) {
            ids();
            films();
        }
        return std::move(found_);
    }

private:
    [[nodiscard]] bool isNamed(const Feed& feed) const {
        return settings_.feeds.contains(feed.name) || findField(fields_, feed.name).has_value();
    }

    void missing(const Feed& feed) {
        const auto named = settings_.feeds.find(feed.name);
        const std::string field = named == settings_.feeds.end() ? "" : named->second;
        const std::vector<std::string> names = namesOf(fields_);
        add("E042", feed,
            field.empty() ? std::string("no field of the data is assigned to this input")
                          : fmt::format("the data has no field {} for this input", field),
            fixByWord(
                field, names, "data", {"feeds." + feed.name},
                fmt::format("set its entry in data.feeds to one of {}", fmt::join(names, ", "))));
    }

    void fits(const Feed& feed, const Field& field) {
        const Shape& whole = graph_.at(feed.value).shape;
        const Shape example(whole.begin() + 1, whole.end());
        if (elementsOf(example) != elementsOf(field.shape)) {
            const FieldFile file = fileOf(field);
            add("E043", feed,
                fmt::format("the input has {} per example, but the field {}{} has {}",
                            sizeText(example), field.name,
                            file.name.empty() ? "" : " in " + file.name, sizeText(field.shape)),
                fixOfShape(feed, example, field, file));
        }
    }

    static std::string sizeText(const Shape& example) {
        return example.empty() ? "one number" : toString(example);
    }

    /// The file that holds a field, and the attribute of the source that names this file.
    struct FieldFile {
        std::string name = {}; ///< empty: the field is generated, or lies in several files
        const AttributeSpec* attribute = nullptr;
    };
    /// Attributes either list files by field ("images=a.npy", or "images.npy") or are named after
    /// the field ("train_images").
    [[nodiscard]] FieldFile fileOf(const Field& field) const {
        const SourceKind* kind = findSourceKind(sources_, settings_.source);
        if (kind == nullptr) {
            return {};
        }
        for (const AttributeSpec& spec : kind->attributes) {
            const AttributeValue* given = settings_.attributes.find(spec.name);
            const auto* text =
                std::get_if<std::string>(given == nullptr ? &spec.defaultValue : given);
            if (!spec.namesFiles() || spec.content == TextContent::folder || text == nullptr) {
                continue;
            }
            for (const std::string& word : splitAtCommas(*text)) {
                const std::size_t equals = word.find('=');
                const std::string file = word.substr(equals + 1); // the whole word if it has no '='
                const std::string name = equals == std::string::npos
                                             ? std::filesystem::path(word).stem().string()
                                             : word.substr(0, equals);
                if (name == field.name || spec.name == "train_" + field.name) {
                    return {file, &spec};
                }
            }
        }
        return {};
    }

    /// Suggests another field that fits, else other data, else another shape of the input.
    [[nodiscard]] Fix fixOfShape(const Feed& feed, const Shape& example, const Field& field,
                                 const FieldFile& file) const {
        const auto fitting = std::ranges::find_if(fields_, [&](const Field& other) {
            return elementsOf(other.shape) == elementsOf(example);
        });
        if (fitting != fields_.end()) {
            return fixBy(fmt::format("set its entry in data.feeds to the field {}", fitting->name),
                         "data", {"feeds." + feed.name, fitting->name});
        }
        const std::string shape = toString(field.shape);
        if (file.attribute != nullptr) {
            return {fmt::format("choose a file with {} per example{}", sizeText(example),
                                field.shape.empty() ? "" : ", or set its shape to " + shape),
                    {},
                    "data.source.with." + file.attribute->name};
        }
        return field.shape.empty()
                   ? Fix{fmt::format("choose data with {} per example", sizeText(example)), {}}
                   : fixBy("set its shape to " + shape, "set", {feed.name, "shape", shape});
    }

    void ids() {
        for (const IdRange& range : idRanges(graph_)) {
            const auto fed = fed_.find(range.feed);
            const std::int64_t classes = fed == fed_.end() ? 0 : fields_[fed->second].classes;
            if (classes > range.count) {
                add("E044", graph_.feeds[range.feed],
                    fmt::format("the field {} has {} classes, but {} has only {} outputs",
                                fields_[fed->second].name, classes, graph_.layerName(range.reader),
                                range.count),
                    {fmt::format(
                         "give the layer before {} as many units or rows as there are classes",
                         graph_.layerName(range.reader)),
                     {}});
            }
        }
    }

    /// Warns if a layer keeps its state across the begin of a film.
    void films() {
        const bool isBeginFed = std::ranges::any_of(
            fed_, [&](const auto& fed) { return std::optional(fed.second) == begins_; });
        const auto state = std::ranges::find_if(
            graph_.slots, [](const Slot& slot) { return slot.kind == SlotKind::layerState; });
        if (!begins_ || isBeginFed || state == graph_.slots.end()) {
            return;
        }
        const std::string layer = graph_.layerName(state->origin);
        found_.push_back(
            {.code = "W046",
             .severity = Severity::warning,
             .layer = state->origin.layer,
             .layerName = layer,
             .attribute = "start",
             .text = fmt::format(
                 "{} keeps its state when a new movie begins: no input receives the field {}",
                 state->name, fields_[*begins_].name),
             .fix = fixBy(
                 "set start to rest, or assign that field to an input and connect the input here",
                 "set", {layer, "start", "rest"})});
    }

    void add(const char* code, const Feed& feed, std::string text, Fix fix) {
        found_.push_back({.code = code,
                          .layer = feed.origin.layer,
                          .layerName = feed.name,
                          .text = std::move(text),
                          .fix = std::move(fix)});
    }

    const DataSettings& settings_;
    const SourceList& sources_;
    const std::vector<Field>& fields_;
    const std::optional<std::size_t> begins_; ///< the field that marks where films begin
    const Graph& graph_;
    const bool isWhole_;
    std::map<std::size_t, std::size_t> fed_; ///< index of a graph's feed -> field
    std::vector<Diagnostic> found_;
};

Diagnostic aboutData(std::string code, std::string text, std::string remedy) {
    return {.code = std::move(code),
            .layerName = "data",
            .attribute = "source",
            .text = std::move(text),
            .fix = {std::move(remedy), {}}};
}

/// Reports files that cannot be read. The fix asks for a file if an attribute names it.
Diagnostic unreadable(const DataSettings& data, const Registry& registry,
                      const DataFolders& folders, const Error& error) {
    Diagnostic problem = aboutData("W045", error.problem(), error.remedy());
    problem.severity = Severity::warning;
    const SourceKind* kind = findSourceKind(registry.sources, data.source);
    if (error.code() != ErrorCode::file) {
        problem.text = fmt::format("{}: {}", error.where().file, error.problem());
    } else if (kind != nullptr && !kind->origin.empty()) {
        problem.text += "; " + kind->origin;
    }
    const AttributeSpec* named =
        kind == nullptr ? nullptr : attributeNamingFile(*kind, data.attributes, folders, error);
    if (named != nullptr) {
        problem.attribute = named->name;
        problem.fix = fixByPicking(*named, "data.source.with." + named->name);
    }
    return problem;
}

/// Checks the other settings of the design against the amount of data and its order.
void checkSettingsAt(const DataDescription& data, const Design& design,
                     std::vector<Diagnostic>& found) {
    try {
        static_cast<void>(trainingBatcher(design.data, data.training,
                                          static_cast<std::uint64_t>(design.training.seed),
                                          data.order));
    } catch (const Error& error) {
        found.push_back(aboutData("E045", error.problem(), error.remedy()));
    }
    if (!design.training.targetMetric.empty() && data.validation == 0 && data.test == 0) {
        found.push_back(
            {.code = "E067",
             .layerName = "training",
             .attribute = "target.metric",
             .text = "no validation takes place, so that the target is never evaluated",
             .fix = fixBy("hold out a tenth of the examples: set data.validation to 0.1", "data",
                          {"validation", "0.1"})});
    }
    if (std::string text = overriddenOrderText(design.data, data.order); !text.empty()) {
        found.push_back({.code = "N045",
                         .severity = Severity::note,
                         .layerName = "data",
                         .attribute = "order",
                         .text = std::move(text),
                         .fix = {"set the order in the source's attributes", {}}});
    }
}

} // namespace

std::vector<Diagnostic> checkFeeds(const FeedCheckRequest& request) {
    const Design& design = *request.design;
    try {
        const DataDescription data =
            describeData(design.data, request.folders, request.registry->sources);
        std::vector<Diagnostic> found = FeedCheck(request, data).run();
        found.insert(found.end(), data.problems.begin(), data.problems.end());
        if (request.areSettingsRight) {
            checkSettingsAt(data, design, found);
        }
        return found;
    } catch (const Error& error) {
        if (error.code() == ErrorCode::design) {
            return {aboutData("E045", error.problem(), error.remedy())};
        }
        return {unreadable(design.data, *request.registry, request.folders, error)};
    } catch (const std::filesystem::filesystem_error& error) {
        return {unreadable(design.data, *request.registry, request.folders,
                           Error(ErrorCode::file, {.file = error.path1().string()}, error.what(),
                                 "check that the file can be read"))};
    }
}

} // namespace weft
