// SPDX-License-Identifier: Apache-2.0
#pragma once
// Design tokens (colours, sizes, durations), read once from resources/themes/tokens.json. Saturated
// colours mean devices; everything else is ink and grey. No other file contains literal colours or
// sizes.

#include <QByteArray>
#include <QColor>
#include <QString>
#include <QStringList>
#include <array>
#include <map>
#include <vector>

namespace weft::ui {

/// Colours of one theme.
struct Theme {
    bool isDark = true;

    struct Surface {
        QColor window, canvas, dock, node, raised, hover, field, overlay; ///< backgrounds
    } surface;
    struct Text {
        QColor primary, secondary, tertiary, disabled, onInk; ///< onInk: on a surface in ink
    } text;
    struct Line {
        QColor subtle, normal, strong, wire, grid; ///< colours of lines
    } line;
    struct Accent {
        QColor ink, inkHover, selectionFill, focus; ///< for selection and focus
    } accent;
    struct Semantic {
        QColor error, warning, ok, info; ///< colours of states
    } semantic;
    struct Trace {
        QColor collective, exposed, idle, io, update; ///< in timelines
    } trace;
    static constexpr int deviceColours = 12;
    std::array<QColor, deviceColours> device;      ///< colour of each device
    std::array<QColor, deviceColours> deviceDigit; ///< text on `device`
    std::map<QString, QColor> category;            ///< colours of kind icons

    /// Returns the colour at index `slot` of the device palette; colours repeat after the twelfth.
    [[nodiscard]] const QColor& ofDevice(int slot) const;
    [[nodiscard]] const QColor& digitOn(int slot) const; ///< colour of its digit
    /// Colour of a category; unknown categories get that of "custom".
    [[nodiscard]] const QColor& ofCategory(const QString& name) const;
};

/// Sizes in logical pixels, durations in milliseconds; the same in both themes.
struct Sizes {
    struct Space {
        int hair, xxs, xs, s, m, l, xl, xxl, xxxl, huge, grid; ///< distances
    } space = {};
    struct Radius {
        int bar, control, node, frame, dialog, pill; ///< radii of corners
    } radius = {};
    struct Type {
        int micro, small, body, label, title, heading, display; ///< font sizes
        int regular, medium, semibold;                          ///< font weights
        double lineHeight;
        QStringList sans, mono; ///< font families, best first
    } type = {};                ///< fonts
    struct WireStep {
        double belowBytes; ///< infinity for the last range
        int px;            ///< width of a wire
    };
    struct Stroke {
        double hair, icon, selection, focus, nodeBorder, plot;
        std::vector<WireStep> wireSteps;           ///< width of wires by bytes
        std::vector<double> halo, whatIf, reroute; ///< dash patterns: lengths on, off
    } stroke = {};
    struct Size {
        int topBar, statusBar, dockTitle, row, rowTable, control, controlSmall, icon, iconLarge;
        int nodeWidth, nodeHeight, nodeCompact, rulerCompact, freeRing, ruler, port;
        int badge, badgeBoundary, badgeFar, drawing, drawingGap, tileGap, sheetStep;
        double threadWidth;
        int threadPitch, threadLength, dictionary, timeBarBox, exposedBar, minimapWidth,
            minimapHeight, hitMinimum;
        int track, trackPredicted, trackMeasured, trackCollectives;
    } size = {};
    struct Duration {
        int instant, fast, normal, slow, liveBeat, reduced; ///< in milliseconds
    } duration = {};
    struct Zoom {
        double min, max, text, blocks, step;
    } zoom = {};
};

struct Tokens {
    Theme dark; ///< colours
    Theme light;
    Sizes sizes;
    QStringList faults; ///< paths of tokens that are missing or have the wrong type
    QStringList unread; ///< tokens in the file that are not used
};

[[nodiscard]] Tokens readTokens(const QByteArray& json); ///< for both themes
/// Returns the built-in tokens; tests check that they have no faults.
[[nodiscard]] const Tokens& tokens();

} // namespace weft::ui
