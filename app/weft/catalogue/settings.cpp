// SPDX-License-Identifier: Apache-2.0
// weft settings: lists the settings of data and training with their choices.
#include "catalogue/attribute_json.h"
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include <weft/error.h>
#include <weft/settings.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace weft {

namespace {

using Json = nlohmann::ordered_json;

void show(const SettingInfo& setting, bool isWhole) {
    say("{} = {}: {}\n", setting.key(),
        setting.spec.required ? "(required)" : toString(setting.spec.defaultValue),
        setting.spec.help);
    for (const std::string& choice : setting.spec.choices) {
        say("  {}\n", choice);
    }
    for (const SettingKind& kind : setting.kinds) {
        say("  {}: {}\n", kind.name, kind.help);
        for (const AttributeSpec& attribute : kind.attributes) {
            if (isWhole) {
                say("    {} = {}: {}\n", attribute.name,
                    attribute.required ? "(required)" : toString(attribute.defaultValue),
                    attribute.help);
            }
        }
    }
}

Json jsonOf(const SettingInfo& setting) {
    Json made{{"key", setting.key()}};
    made.update(weft::jsonOf(setting.spec));
    Json kinds = Json::array();
    for (const SettingKind& kind : setting.kinds) {
        kinds.push_back({{"name", kind.name},
                         {"title", kind.title.empty() ? kind.name : kind.title},
                         {"help", kind.help},
                         {"attributes", weft::jsonOf(kind.attributes)}});
    }
    if (!kinds.empty()) {
        made["kinds"] = std::move(kinds);
    }
    return made;
}

struct Options {
    std::string key;
    bool isJson = false;
    bool isPage = false;
};

int printSettings(const Options& options) {
    if (options.isPage) {
        say("{}", settingsPage());
        return success;
    }
    std::vector<SettingInfo> shown = settings();
    if (!options.key.empty()) {
        std::erase_if(shown, [&](const SettingInfo& each) { return each.key() != options.key; });
        if (shown.empty()) {
            throw Error(ErrorCode::usage, {}, "there is no setting \"" + options.key + "\"",
                        "weft settings lists the settings");
        }
    }
    if (options.isJson) {
        Json all = Json::array();
        std::ranges::transform(shown, std::back_inserter(all),
                               [](const SettingInfo& each) { return jsonOf(each); });
        say("{}\n", all.dump(2));
        return success;
    }
    for (const SettingInfo& setting : shown) {
        show(setting, !options.key.empty());
    }
    return success;
}

} // namespace

std::function<int()> addSettingsVerb(CommandLine& line) {
    Verb verb = line.verb("settings", "list the settings of data and training");
    verb.footer(
        "With a key, prints all choices of that setting. Example: weft settings data.source");
    auto options = std::make_shared<Options>();
    verb.option("KEY", options->key, "a setting, such as training.optimizer");
    verb.flag("--json", options->isJson, "print JSON");
    verb.flag("--page", options->isPage,
              "print the settings in Markdown, as on the page about the file format");
    return [options] { return printSettings(*options); };
}

} // namespace weft
