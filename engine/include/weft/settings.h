// SPDX-License-Identifier: Apache-2.0
#pragma once
// Settings of a design's data and training as one table, from which they are read, written,
// checked, set on a command line, explained and edited. A row that chooses a kind (an optimizer, a
// schedule, a source) lists the kinds with their attributes.

#include <weft/attributes.h>
#include <weft/design.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

/// One kind that a setting can choose: "adam".
struct SettingKind {
    std::string name; ///< "adam"
    std::string help;
    std::vector<AttributeSpec> attributes = {}; ///< keys below `with`
    std::string title = {};                     ///< name shown to people; empty: `name`
};

struct SettingInfo {
    std::string section;                 ///< "training", "data"
    std::string code;                    ///< diagnostic code if the value is invalid
    AttributeSpec spec;                  ///< its name is the key in the section: "learning_rate"
    std::vector<SettingKind> kinds = {}; ///< kinds that the setting chooses from; empty: none

    [[nodiscard]] std::string key() const { return section + "." + spec.name; }
};

/// Returns all settings in file order. The caller builds the list once and passes it on.
[[nodiscard]] std::vector<SettingInfo> settings();

[[nodiscard]] const SettingInfo* findSetting(const std::vector<SettingInfo>& settings,
                                             std::string_view key);

/// Returns the design's value of "training.learning_rate"; nothing for an unknown key.
[[nodiscard]] std::optional<AttributeValue> settingOf(const Design& design, std::string_view key);
/// Returns the given attributes of a setting that chooses a kind; empty for other settings.
[[nodiscard]] Attributes settingAttributes(const Design& design, std::string_view key);

/// Returns the schemes that a wire can name. A scheme says how the value of a wire reaches a layer
/// with another assignment: "whole" gathers it before the layer.
[[nodiscard]] const std::vector<SettingKind>& wireSchemes();

/// A term that settings, plans and runs use in one sense.
struct GlossaryWord {
    std::string name;    ///< "Iteration"
    std::string meaning; ///< one sentence
};
/// Returns the terms for the time scales of a run, shortest first, for the help of program and
/// window and for the page on the format.
[[nodiscard]] const std::vector<GlossaryWord>& timeWords();

/// Returns the settings section of the page on the format (projects/README.md).
[[nodiscard]] std::string settingsPage();

} // namespace weft
