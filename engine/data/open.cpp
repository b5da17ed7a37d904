// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"

#include "base/check_attributes.h"
#include "base/text/names_of.h"
#include "data/description_cache.h"
#include "data/lists.h"
#include "data/split.h"
#include <weft/error.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace weft {

namespace {

/// Throws the first problem; the design check reports all of them.
[[noreturn]] void refuse(const std::string& attribute, const std::string& text,
                         const std::string& remedy) {
    throw Error(ErrorCode::design, Where{.layer = "data." + attribute}, text, remedy);
}

const SourceKind& kindOf(const DataSettings& settings, const SourceList& kinds) {
    const SourceKind* found = findSourceKind(kinds, settings.source);
    if (found == nullptr) {
        refuse("source", fmt::format("there is no data source '{}'", settings.source),
               fmt::format("choose one of {}", fmt::join(namesOf(kinds), ", ")));
    }
    return *found;
}

Attributes attributesOf(const DataSettings& settings, const SourceKind& kind) {
    const std::string owner = "source " + kind.name;
    return checkedAttributes(settings.attributes, kind.attributes, {.name = owner},
                             [](const Diagnostic& problem) {
                                 refuse(problem.attribute, problem.text, problem.fix.text);
                             });
}

/// Settings that can be opened.
struct Checked {
    const SourceKind& kind;
    Attributes attributes;
};

Checked checked(const DataSettings& settings, const SourceList& kinds) {
    const SourceKind& kind = kindOf(settings, kinds);
    Attributes attributes = attributesOf(settings, kind);
    if (!(settings.validation >= 0 && settings.validation < 1)) {
        refuse("validation", fmt::format("data.validation is {}", settings.validation),
               "use a fraction from 0 to below 1");
    }
    return {kind, std::move(attributes)};
}

DataDescription describe(const OpenRequest& request) {
    const Data data = request.kind.open(request);
    const std::int64_t size = data.training->size();
    const bool isCut = !data.validation && request.heldOut > 0;
    const std::int64_t held = isCut ? heldOutCount(size, request.heldOut) : 0;
    return {.fields = data.training->fields(),
            .classNames = data.classNames,
            .training = size - held,
            .validation = data.validation ? data.validation->size() : held,
            .test = data.test ? data.test->size() : 0,
            .order = data.training->order(),
            .problems = data.problems};
}

} // namespace

SourceList sourceKinds() {
    SourceList kinds;
    sources::fill(kinds);
    generators::fill(kinds);
    return kinds;
}

const SourceKind* findSourceKind(const SourceList& kinds, std::string_view name) {
    const auto at = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const SourceKind& kind) { return kind.name == name; });
    return at == kinds.end() ? nullptr : &*at;
}

DataDescription describeData(const DataSettings& settings, const DataFolders& folders,
                             const SourceList& kinds) {
    static DescriptionCache known;
    const Checked checked = weft::checked(settings, kinds);
    return known.find({.open = checked.kind.open,
                       .attributes = checked.attributes,
                       .validation = settings.validation,
                       .folders = folders},
                      [&](std::vector<std::filesystem::path>& looked) {
                          return describe({.kind = checked.kind,
                                           .attributes = checked.attributes,
                                           .folders = folders,
                                           .heldOut = settings.validation,
                                           .describe = true,
                                           .looked = &looked});
                      });
}

std::vector<std::filesystem::path> filesRead(const DataSettings& settings,
                                             const DataFolders& folders, const SourceList& kinds) {
    const Checked checked = weft::checked(settings, kinds);
    std::vector<std::filesystem::path> opened;
    static_cast<void>(checked.kind.open({.kind = checked.kind,
                                         .attributes = checked.attributes,
                                         .folders = folders,
                                         .heldOut = settings.validation,
                                         .describe = true,
                                         .opened = &opened}));
    std::erase_if(opened, [](const std::filesystem::path& path) {
        std::error_code ignored;
        return std::filesystem::is_directory(path, ignored);
    });
    std::ranges::sort(opened);
    const auto again = std::ranges::unique(opened);
    opened.erase(again.begin(), again.end());
    return opened;
}

std::optional<std::size_t> fieldFeeding(const DataSettings& settings,
                                        const std::vector<Field>& fields, const std::string& input,
                                        std::size_t place) {
    const auto named = settings.feeds.find(input);
    if (named != settings.feeds.end()) {
        return findField(fields, named->second);
    }
    if (const auto field = findField(fields, input)) {
        return field;
    }
    return place < fields.size() ? std::optional(place) : std::nullopt;
}

SourcePointer openOffered(const DataSettings& settings, const std::filesystem::path& file,
                          const SourceList& kinds) {
    const SourceKind& kind = kindOf(settings, kinds);
    if (kind.openOffered == nullptr) {
        return nullptr;
    }
    const Attributes attributes = attributesOf(settings, kind);
    return kind.openOffered({.kind = kind, .attributes = attributes, .folders = {}}, file);
}

Data openData(const DataSettings& settings, const DataFolders& folders, const SourceList& kinds) {
    const Checked checked = weft::checked(settings, kinds);
    Data data = checked.kind.open({.kind = checked.kind,
                                   .attributes = checked.attributes,
                                   .folders = folders,
                                   .heldOut = settings.validation});
    if (!data.validation && settings.validation > 0) {
        TrainingSplit parts =
            holdOut(data.training, settings.validation, data.splitSeed, data.strata);
        data.training = std::move(parts.training);
        data.validation = std::move(parts.validation);
    }
    return data;
}

} // namespace weft
