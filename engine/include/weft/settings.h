// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a design says of its data and its training, as data: one table from which settings are read,
// written, checked, set on a command line, explained and edited. A row that chooses a kind (an
// optimizer, a schedule, a source) has the kinds there are, with their attributes.

#include <weft/attributes.h>
#include <weft/design.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// What a setting may choose: "adam".
struct SettingKind {
    std::string name;
    std::string help;
    std::vector<AttributeSpec> attributes = {}; ///< below `with`
    std::string title = {};                     ///< as people read it; empty: as its name
};

struct SettingInfo {
    std::string section; ///< "training", "data"
    std::string code;    ///< of the problem when its value is none
    AttributeSpec spec;  ///< its name is the key in the section: "learning_rate"
    std::vector<SettingKind> kinds = {};

    [[nodiscard]] std::string key() const { return section + "." + spec.name; }
};

/// All settings, in the order of the file, made by the caller that needs them and then passed on.
[[nodiscard]] std::vector<SettingInfo> settings();

[[nodiscard]] const SettingInfo* findSetting(const std::vector<SettingInfo>& settings,
                                             std::string_view key);

/// As the design has it: "training.learning_rate"; nothing for a key that is none.
[[nodiscard]] std::optional<AttributeValue> settingOf(const Design& design, std::string_view key);
/// Those of a setting that chooses a kind, as they were given; none for any other.
[[nodiscard]] Attributes settingAttributes(const Design& design, std::string_view key);

/// How a wire may cross between assignments, where one says it.
[[nodiscard]] const std::vector<SettingKind>& wireSchemes();

/// A word that settings, plans and runs use in one sense.
struct Word {
    std::string name; ///< "Iteration"
    std::string meaning;
};
/// How a run goes through time, from the shortest to the longest: the help of program and window
/// shows these, and so does the page on the format.
[[nodiscard]] const std::vector<Word>& wordsOfTime();

/// All of it in the form of the page on the format: projects/README.md holds it.
[[nodiscard]] std::string settingsPage();

} // namespace weft
