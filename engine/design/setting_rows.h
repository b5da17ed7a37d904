// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of settings: each row with its field in the document. The choices of settings
// (optimizers, sources) are declared where they are implemented and added in
// compile/setting_list.h.

#include <weft/settings.h>

#include <variant>
#include <vector>

namespace weft {

template <class Settings>
struct SettingRow {
    const char* code;   ///< code of the diagnostic for a wrong value
    AttributeSpec spec; ///< a name with a dot belongs to an inner object: "target.metric"
    std::variant<std::int64_t Settings::*, double Settings::*, std::string Settings::*> field;
    /// For a setting that chooses a kind: the kind's attributes.
    Attributes Settings::*with = nullptr; ///< attributes of the chosen kind, if the row chooses one
    bool isAlwaysWritten = false;         ///< written even if it has its default
    std::string formerName = {};          ///< still read in files and by --set, never written
};

/// Returns the rows in the order of the file.
[[nodiscard]] const std::vector<SettingRow<DataSettings>>& dataRows();
[[nodiscard]] const std::vector<SettingRow<TrainingSettings>>& trainingRows();

template <class Settings>
AttributeValue valueOf(const Settings& settings, const SettingRow<Settings>& row) {
    return std::visit([&](auto field) { return AttributeValue(settings.*field); }, row.field);
}

/// "training.lanes" -> "training.streams": the key that a former name stands for; other keys as
/// they are.
[[nodiscard]] std::string currentKey(std::string_view key);

/// Returns the settings without the kinds that they choose from.
[[nodiscard]] std::vector<SettingInfo> settingRows();

} // namespace weft
