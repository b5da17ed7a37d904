// SPDX-License-Identifier: Apache-2.0
#pragma once
// Shortcuts of other node editors for the same commands. A preset lists only its differences from
// Weft's own shortcuts; a shortcut that a preset assigns is removed from every other command.

#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace weft::ui {

[[nodiscard]] QString ownPreset();       ///< name of Weft's own preset, the first in the list
[[nodiscard]] QStringList presetNames(); ///< the first is ownPreset()
/// Returns the preset's shortcuts of this command; std::nullopt if the preset does not change them.
[[nodiscard]] std::optional<QList<QKeySequence>> presetKeys(const QString& preset,
                                                            const QString& command);
/// Returns how many commands the preset changes.
[[nodiscard]] int presetSize(const QString& preset); ///< number of commands that it changes
/// Returns true if the preset assigns this shortcut to some command.
[[nodiscard]] bool isPresetKey(const QString& preset, const QKeySequence& key);

} // namespace weft::ui
