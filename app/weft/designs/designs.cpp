// SPDX-License-Identifier: Apache-2.0
#include "designs/designs.h"

#include "command_line/verb.h"
#include <weft/catalogue.h>
#include <weft/design_file.h>
#include <weft/edits.h>
#include <weft/error.h>
#include <weft/preview.h>
#include <weft/runs.h>
#include <weft/settings.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <set>

namespace weft {

namespace fs = std::filesystem;

namespace {

/// "set training.KEY (optimizer, learning_rate ...), data.KEY (...) or LAYER.ATTRIBUTE"
std::string maySet() {
    const auto keysOf = [all = weft::settings()](const std::string& section) {
        std::string keys;
        for (const SettingInfo& setting : all) {
            if (setting.section == section) {
                keys += (keys.empty() ? "" : ", ") + setting.spec.name;
                keys += setting.kinds.empty() ? "" : ", " + setting.spec.name + ".with.KEY";
            }
        }
        return keys;
    };
    return fmt::format("set training.KEY ({}), data.KEY ({}) or LAYER.ATTRIBUTE",
                       keysOf("training"), keysOf("data"));
}

/// Throws Error{usage} if `key` is LAYER.ATTRIBUTE and the kind of the layer lacks the attribute,
/// which a design file would ignore.
void requireAttribute(const Design& design, const std::string& key,
                      const std::vector<LayerKindInfo>& kinds) {
    const std::size_t dot = key.rfind('.');
    const Layer* layer = dot == std::string::npos
                             ? nullptr
                             : findLayer(design.network, std::string_view(key).substr(0, dot));
    const LayerKindInfo* kind = layer == nullptr ? nullptr : findKind(kinds, layer->kind);
    if (kind == nullptr) {
        return; // inside a group, or no such layer: the edit reports it
    }
    const std::string name = key.substr(dot + 1);
    if (std::ranges::find(kind->attributes, name, &AttributeSpec::name) == kind->attributes.end()) {
        std::vector<std::string> names;
        std::ranges::transform(kind->attributes, std::back_inserter(names), &AttributeSpec::name);
        throw Error(ErrorCode::usage, Where{.layer = layer->name},
                    fmt::format("{} has no attribute {}", layer->kind, name),
                    fmt::format("set one of {}", fmt::join(names, ", ")));
    }
}

/// True if only training needs what is missing: a source of data (E501) or a loss (E040).
bool concernsTraining(const Diagnostic& problem) {
    return problem.code == "E501" || problem.code == "E040";
}

void set(Design& design, const std::string& setting, const std::vector<LayerKindInfo>& kinds) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos || equals == 0) {
        throw Error(ErrorCode::usage, {}, "--set " + setting + " is not of the form KEY=VALUE",
                    maySet());
    }
    const std::string key = setting.substr(0, equals);
    requireAttribute(design, key, kinds);
    const Edited edited = applySetting(design, key, setting.substr(equals + 1));
    if (!edited.isDone()) {
        throw Error(ErrorCode::usage, {}, "--set " + setting + ": " + edited.refusal->text,
                    edited.refusal->fix.text.empty() ? maySet() : edited.refusal->fix.text);
    }
}

} // namespace

void addDeviceList(Verb& verb, std::vector<std::string>& devices, const std::string& help) {
    auto seen = std::make_shared<std::set<std::string>>();
    verb.option("--devices", devices, help).separatedBy(',').check([seen](const std::string& name) {
        if (!isDeviceName(name)) {
            return fmt::format("'{}' is not a device name: use a name such as cpu:0 or cuda:0/1",
                               name);
        }
        return seen->insert(name).second ? std::string() : name + " is named twice";
    });
}

void addSettings(Verb& verb, std::vector<std::string>& settings) {
    verb.option(
            "--set", settings,
            "override a setting or attribute: training.steps=100, data.batch=64, conv1.filters=32")
        .shown("KEY=VALUE");
}

std::shared_ptr<const Preview> previewOf(const Design& design, const fs::path& file,
                                         const DesignRequest& request) {
    PreviewCache cache;
    return preview(
        design, cache,
        {.devices = request.devices,
         .machine = thisMachine(),
         .wantsLegal = false,
         .data = PreviewData{file.parent_path(), {request.data.begin(), request.data.end()}},
         .until = request.until});
}

Design readDesign(const fs::path& file, const DesignRequest& request) {
    const std::vector<LayerKindInfo> kinds = catalogue();
    LoadedDesign loaded = loadDesign(file, kinds);
    if (!hasErrors(loaded.diagnostics)) {
        for (const std::string& setting : request.settings) {
            set(loaded.design, setting, kinds);
        }
        if (!request.isForOtherHost) {
            const auto shown = previewOf(loaded.design, file, request);
            std::ranges::copy_if(shown->problems, std::back_inserter(loaded.diagnostics),
                                 [&](const Diagnostic& problem) {
                                     return request.isForTraining || !concernsTraining(problem);
                                 });
        }
    }
    refuseErrors(loaded.diagnostics, file.string());
    return std::move(loaded.design);
}

std::string explanationOf(const fs::path& file,
                          const std::function<std::string(const Design&)>& make) {
    const Design design = readDesign(file, {.until = PreviewPart::shapes});
    std::string text;
    namingFile(file, [&] { text = make(design); });
    return text;
}

void namingFile(const fs::path& file, const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        const bool isOfDesign =
            error.code() == ErrorCode::design || error.code() == ErrorCode::memory;
        if (!isOfDesign || !error.where().file.empty()) {
            throw;
        }
        Where where = error.where();
        where.file = file.string();
        throw Error(error.code(), std::move(where), error.problem(), error.remedy());
    }
}

DesignPlace designAt(const fs::path& given) {
    std::error_code none;
    if (fs::is_directory(given, none)) {
        return {given / "design.weft", given};
    }
    return {given, {}};
}

fs::path checkpointOf(const fs::path& run) {
    fs::path newest = newestCheckpoint(run);
    if (newest.empty()) {
        throw Error(ErrorCode::file, Where{.file = (run / "checkpoints").string()},
                    "contains no checkpoint",
                    "name weights with --weights, or train the run first");
    }
    return newest;
}

} // namespace weft
