// SPDX-License-Identifier: Apache-2.0
#pragma once
// The table of settings, each row with the field of the document that holds it. What they choose
// among (optimizers, sources) is declared where it is computed and added above: run/setting_list.h.

#include <weft/settings.h>

#include <variant>
#include <vector>

namespace weft {

template <class Settings>
struct SettingRow {
    const char* code;
    AttributeSpec spec; ///< a name with a dot stands in an object: "target.metric"
    std::variant<std::int64_t Settings::*, double Settings::*, std::string Settings::*> field;
    Attributes Settings::*with = nullptr; ///< of a kind: its attributes
    bool isAlwaysWritten = false;         ///< also where it is as usual
    std::string formerName = {};          ///< still read in files and by --set, never written
};

/// In the order of the file.
[[nodiscard]] const std::vector<SettingRow<DataSettings>>& dataRows();
[[nodiscard]] const std::vector<SettingRow<TrainingSettings>>& trainingRows();

template <class Settings>
AttributeValue valueOf(const Settings& settings, const SettingRow<Settings>& row) {
    return std::visit([&](auto field) { return AttributeValue(settings.*field); }, row.field);
}

/// "training.lanes" -> "training.streams": the key that a former name stands for; other keys as
/// they are.
[[nodiscard]] std::string currentKey(std::string_view key);

/// Without the kinds that they choose among.
[[nodiscard]] std::vector<SettingInfo> settingRows();

} // namespace weft
