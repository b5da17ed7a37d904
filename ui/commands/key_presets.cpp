// SPDX-License-Identifier: Apache-2.0
#include "commands/key_presets.h"

#include <algorithm>
#include <iterator>
#include <span>

namespace weft::ui {

namespace {

struct Row {
    const char* command;
    const char* keys; ///< portable texts, separated by blanks
};

struct Preset {
    const char* name;
    std::span<const Row> rows;
};

constexpr Row blender[] = {{"layer.add", "Shift+A"},
                           {"edit.delete", "X Del"},
                           {"edit.dissolve", "Ctrl+X Ctrl+Del"},
                           {"edit.duplicate", "Shift+D"},
                           {"edit.select-all", "A Ctrl+A"},
                           {"edit.select-upstream", "L"},
                           {"edit.select-downstream", "Shift+L"},
                           {"layer.mute", "M"},
                           {"layer.collapse", "H"},
                           {"layer.hide-ports", "Ctrl+H"},
                           {"layer.group", "Ctrl+G"},
                           {"layer.ungroup", "Ctrl+Alt+G"},
                           {"layer.frame", "Ctrl+J"},
                           {"view.frame-all", "Home"},
                           {"view.frame-selection", "."},
                           {"help.palette", "F3 Ctrl+Shift+P"}};

constexpr Row houdini[] = {
    {"edit.duplicate", "Alt+C"}, {"edit.dissolve", "Ctrl+Del"},     {"layer.mute", "D"},
    {"layer.bypass", "B"},       {"layer.enter", "I Return Enter"}, {"layer.leave", "U Ctrl+Tab"},
    {"layer.group", "Shift+C"},  {"layer.frame", "Shift+O"},        {"layer.lay-out", "L"},
    {"layer.straighten", "A"},   {"view.frame-all", "H Home"},      {"view.frame-selection", "G F"},
    {"view.minimap", "O"}};

constexpr Row unreal[] = {{"edit.duplicate", "Ctrl+W Ctrl+D"},
                          {"file.close", "Ctrl+F4"},
                          {"layer.frame", "C"},
                          {"layer.align-top", "Shift+W"},
                          {"layer.align-left", "Shift+A"},
                          {"layer.align-bottom", "Shift+S"},
                          {"layer.align-right", "Shift+D"},
                          {"layer.straighten", "Q"},
                          {"layer.distribute", "Shift+V"},
                          {"view.frame-all", "Home"},
                          {"view.frame-selection", "F"},
                          {"run.start", "Alt+P Ctrl+Return"}};

constexpr Row comfy[] = {{"layer.mute", "Ctrl+M"},        {"layer.bypass", "Ctrl+B"},
                         {"layer.collapse", "Alt+C"},     {"layer.frame", "Ctrl+G"},
                         {"layer.group", "Ctrl+Shift+E"}, {"view.frame-selection", "."},
                         {"view.zoom-in", "Alt+="},       {"view.zoom-out", "Alt+-"},
                         {"run.start", "Ctrl+Return"},    {"run.stop", "Ctrl+Alt+Return"}};

constexpr Preset presets[] = {{"Weft", {}},
                              {"Blender", blender},
                              {"Houdini/Nuke", houdini},
                              {"Unreal", unreal},
                              {"ComfyUI", comfy}};

std::span<const Row> rowsOf(const QString& preset) {
    const auto* found = std::ranges::find_if(
        presets, [&](const Preset& one) { return preset == QLatin1String(one.name); });
    return found == std::end(presets) ? std::span<const Row>() : found->rows;
}

QList<QKeySequence> keysOf(const Row& row) {
    QList<QKeySequence> keys;
    for (const QString& text : QString::fromLatin1(row.keys).split(' ')) {
        keys << QKeySequence(text, QKeySequence::PortableText);
    }
    return keys;
}

} // namespace

QString ownPreset() { return QLatin1String(presets[0].name); }

QStringList presetNames() {
    QStringList names;
    for (const Preset& preset : presets) {
        names << QLatin1String(preset.name);
    }
    return names;
}

std::optional<QList<QKeySequence>> presetKeys(const QString& preset, const QString& command) {
    for (const Row& row : rowsOf(preset)) {
        if (command == QLatin1String(row.command)) {
            return keysOf(row);
        }
    }
    return std::nullopt;
}

int presetSize(const QString& preset) { return static_cast<int>(rowsOf(preset).size()); }

bool isPresetKey(const QString& preset, const QKeySequence& key) {
    return std::ranges::any_of(rowsOf(preset),
                               [&](const Row& row) { return keysOf(row).contains(key); });
}

} // namespace weft::ui
