// SPDX-License-Identifier: Apache-2.0
#pragma once
// Keys as people know them from other node editors, over the same commands. A preset says only what
// differs from Weft's own keys; what it gives to one command no other answers.

#include <QKeySequence>
#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace weft::ui {

/// Weft's own, first.
[[nodiscard]] QString ownPreset();
[[nodiscard]] QStringList presetNames();
/// What the preset gives to this command; nothing where it leaves it alone.
[[nodiscard]] std::optional<QList<QKeySequence>> presetKeys(const QString& preset,
                                                            const QString& command);
/// How many commands it names.
[[nodiscard]] int presetSize(const QString& preset);
/// Whether the preset gives this key to some command.
[[nodiscard]] bool isPresetKey(const QString& preset, const QKeySequence& key);

} // namespace weft::ui
