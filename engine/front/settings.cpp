// SPDX-License-Identifier: Apache-2.0
#include "compile/setting_list.h"
#include "data/open.h"
#include "optimizers/optimizers.h"
#include <weft/settings.h>

#include <fmt/format.h>

#include <algorithm>

namespace weft {

namespace {

/// Returns the allowed words, then the help without its final full stop.
std::string saysOf(const std::vector<std::string>& words, std::string help) {
    std::string text;
    for (const std::string& word : words) {
        text += fmt::format("{}`{}`", text.empty() ? "" : ", ", word);
    }
    if (help.ends_with('.')) {
        help.pop_back();
    }
    return text.empty() ? help : text + ": " + help;
}

std::vector<std::string> wordsOf(const SettingInfo& setting) {
    std::vector<std::string> words = setting.spec.choices;
    std::ranges::transform(setting.kinds, std::back_inserter(words), &SettingKind::name);
    return words;
}

std::string defaultOf(const AttributeSpec& spec) {
    if (spec.required) {
        return "required";
    }
    return spec.defaultValue == AttributeValue(std::string())
               ? ""
               : "`" + toString(spec.defaultValue) + "`";
}

std::string sectionPage(const std::vector<SettingInfo>& all, std::string_view section) {
    std::string text =
        fmt::format("| below `{}` | default | meaning |\n| --- | --- | --- |\n", section);
    for (const SettingInfo& setting : all) {
        if (setting.section == section) {
            text += fmt::format("| `{}` | {} | {} |\n", setting.spec.name, defaultOf(setting.spec),
                                saysOf(wordsOf(setting), setting.spec.help));
        }
    }
    return text;
}

std::string kindsPage(const SettingInfo& setting) {
    std::string text = fmt::format("\n| {}, and below its `with` | default | meaning |\n"
                                   "| --- | --- | --- |\n",
                                   setting.spec.name);
    for (const SettingKind& kind : setting.kinds) {
        text += fmt::format("| **`{}`** | | {} |\n", kind.name, saysOf({}, kind.help));
        for (const AttributeSpec& spec : kind.attributes) {
            text += fmt::format("| `{}` | {} | {} |\n", spec.name, defaultOf(spec),
                                saysOf(spec.choices, spec.help));
        }
    }
    return text;
}

} // namespace

std::vector<SettingInfo> settings() {
    OptimizerList known;
    optimizers::fill(known);
    return settingsWith(sourceKinds(), known);
}

const std::vector<GlossaryWord>& timeWords() {
    static const std::vector<GlossaryWord> words = {
        {"Iteration", "one update of the dynamics of a recurrent layer such as lca, which computes "
                      "`iterations` of them in each step"},
        {"Step", "one forward pass over a batch, with all iterations: every batch element is shown "
                 "one frame. Metrics such as the energy are those of the last iteration. The next "
                 "step shows the next frame of a movie"},
        {"Update", "the gradient computation of a step: at the step `first_update` and then at "
                   "every `update_period`th step. The other steps run the forward pass alone"},
        {"Sync",
         "after every `sync_every` updates, the accumulated gradients are reduced over the devices "
         "and applied once; the weights stay constant in between. Learning rates, schedules and "
         "optimizers count syncs. With `sync_every` 1 every update is followed by a sync"},
    };
    return words;
}

std::string settingsPage() {
    const std::vector<SettingInfo> all = settings();
    std::string text;
    for (const char* section : {"data", "training"}) {
        text += (text.empty() ? "" : "\n") + sectionPage(all, section);
        for (const SettingInfo& setting : all) {
            if (setting.section == section && !setting.kinds.empty()) {
                text += kindsPage(setting);
            }
        }
    }
    text += "\n| `scheme` of a wire | meaning |\n| --- | --- |\n";
    for (const SettingKind& scheme : wireSchemes()) {
        text += fmt::format("| `{}` | {} |\n", scheme.name, scheme.help);
    }
    text += "\n### Steps and updates\n\n| word | meaning |\n| --- | --- |\n";
    for (const GlossaryWord& word : timeWords()) {
        text += fmt::format("| **{}** | {} |\n", word.name, word.meaning);
    }
    return text;
}

} // namespace weft
