// SPDX-License-Identifier: Apache-2.0
#pragma once
// The tokens of the look, read once from resources/themes/tokens.json. Saturated colour means a
// device; everything else is ink and greys. No other file holds a literal colour or size.

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
        QColor window, canvas, dock, node, raised, hover, field, overlay;
    } surface;
    struct Text {
        QColor primary, secondary, tertiary, disabled, onInk;
    } text;
    struct Line {
        QColor subtle, normal, strong, wire, grid;
    } line;
    struct Accent {
        QColor ink, inkHover, selectionFill, focus;
    } accent;
    struct Semantic {
        QColor error, warning, ok, info;
    } semantic;
    struct Trace {
        QColor collective, exposed, idle, io, update;
    } trace;
    static constexpr int deviceColours = 12;
    std::array<QColor, deviceColours> device;
    std::array<QColor, deviceColours> deviceDigit;
    std::map<QString, QColor> category; ///< tints of kind icons

    /// Devices beyond the twelfth repeat the colours.
    [[nodiscard]] const QColor& ofDevice(int slot) const;
    [[nodiscard]] const QColor& digitOn(int slot) const;
    /// Colour of a category; unknown categories get that of "custom".
    [[nodiscard]] const QColor& ofCategory(const QString& name) const;
};

/// Sizes in logical pixels, durations in milliseconds; the same in both themes.
struct Sizes {
    struct Space {
        int hair, xxs, xs, s, m, l, xl, xxl, xxxl, huge, grid;
    } space = {};
    struct Radius {
        int bar, control, node, frame, dialog, pill;
    } radius = {};
    struct Type {
        int micro, small, body, label, title, heading, display;
        int regular, medium, semibold;
        double lineHeight;
        QStringList sans, mono;
    } type = {};
    struct WireStep {
        double belowBytes; ///< infinity in the last
        int px;
    };
    struct Stroke {
        double hair, icon, selection, focus, nodeBorder, plot;
        std::vector<WireStep> wireSteps;
        std::vector<double> halo, whatIf, reroute;
    } stroke = {};
    struct Size {
        int topBar, statusBar, dockTitle, row, rowTable, control, controlSmall, icon, iconLarge;
        int nodeWidth, nodeHeight, nodeCompact, rulerCompact, freeRing, ruler, port;
        int badge, badgeBoundary, badgeFar, drawing, drawingGap, tileGap, sheetStep;
        double threadWidth;
        int threadPitch, threadLength, dictionary, costBar, exposedBar, minimapWidth, minimapHeight,
            hitMinimum;
        int track, trackPredicted, trackMeasured, trackCollectives;
    } size = {};
    struct Duration {
        int instant, fast, normal, slow, liveBeat, reduced;
    } duration = {};
    struct Zoom {
        double min, max, text, blocks, step;
    } zoom = {};
};

struct Tokens {
    Theme dark;
    Theme light;
    Sizes sizes;
    QStringList faults; ///< tokens that are missing or of the wrong kind, by path
    QStringList unread; ///< tokens of the file that nothing here takes
};

[[nodiscard]] Tokens readTokens(const QByteArray& json);
/// Those built in; the tests hold that they have no fault.
[[nodiscard]] const Tokens& tokens();

} // namespace weft::ui
