// SPDX-License-Identifier: GPL-3.0-or-later
#include "theme/theme.h"

#include "theme/token_reader.h"

#include <QFile>
#include <limits>

// A static library's resources come along only when somebody asks for them, and outside namespaces.
// NOLINTNEXTLINE(misc-use-anonymous-namespace): the macro declares what is in none
static void bringResources() { Q_INIT_RESOURCE(weft); }

namespace weft::ui {

namespace {

void read(TokenReader& at, Theme& theme) {
    at.enter("surface", [&] {
        auto& s = theme.surface;
        at.colours({{"window", &s.window},
                    {"canvas", &s.canvas},
                    {"dock", &s.dock},
                    {"node", &s.node},
                    {"raised", &s.raised},
                    {"hover", &s.hover},
                    {"field", &s.field},
                    {"overlay", &s.overlay}});
    });
    at.enter("text", [&] {
        auto& s = theme.text;
        at.colours({{"primary", &s.primary},
                    {"secondary", &s.secondary},
                    {"tertiary", &s.tertiary},
                    {"disabled", &s.disabled},
                    {"onInk", &s.onInk}});
    });
    at.enter("line", [&] {
        auto& s = theme.line;
        at.colours({{"subtle", &s.subtle},
                    {"normal", &s.normal},
                    {"strong", &s.strong},
                    {"wire", &s.wire},
                    {"grid", &s.grid}});
    });
    at.enter("accent", [&] {
        auto& s = theme.accent;
        at.colours({{"ink", &s.ink},
                    {"inkHover", &s.inkHover},
                    {"selectionFill", &s.selectionFill},
                    {"focus", &s.focus}});
    });
    at.enter("semantic", [&] {
        auto& s = theme.semantic;
        at.colours(
            {{"error", &s.error}, {"warning", &s.warning}, {"ok", &s.ok}, {"info", &s.info}});
    });
    at.enter("trace", [&] {
        auto& s = theme.trace;
        at.colours({{"collective", &s.collective},
                    {"exposed", &s.exposed},
                    {"idle", &s.idle},
                    {"io", &s.io},
                    {"update", &s.update}});
    });
    at.colourList("device", theme.device);
    at.colourList("deviceDigit", theme.deviceDigit);
    at.enter("category", [&] {
        for (const QString& name : at.keys()) {
            at.colours({{name, &theme.category[name]}});
        }
    });
}

void read(TokenReader& at, Sizes::Type& type) {
    at.enter("families", [&] {
        at.texts("sans", type.sans);
        at.texts("mono", type.mono);
        at.skip("packages");
    });
    at.enter("px", [&] {
        at.numbers({{"micro", &type.micro},
                    {"small", &type.small},
                    {"body", &type.body},
                    {"label", &type.label},
                    {"title", &type.title},
                    {"heading", &type.heading},
                    {"display", &type.display}});
    });
    at.enter("weight", [&] {
        at.numbers(
            {{"regular", &type.regular}, {"medium", &type.medium}, {"semibold", &type.semibold}});
    });
    at.number("lineHeight", type.lineHeight);
    at.skip("use");
}

void read(TokenReader& at, Sizes::Stroke& stroke) {
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, double*>>{{"hair", &stroke.hair},
                                                                {"icon", &stroke.icon},
                                                                {"selection", &stroke.selection},
                                                                {"focus", &stroke.focus},
                                                                {"nodeBorder", &stroke.nodeBorder},
                                                                {"plot", &stroke.plot}}) {
        at.number(name, *value);
    }
    at.each("wireSteps", [&] {
        Sizes::WireStep step = {std::numeric_limits<double>::infinity(), 0};
        at.numberOrNull("belowBytes", step.belowBytes);
        at.numbers({{"px", &step.px}});
        stroke.wireSteps.push_back(step);
    });
    at.enter("dash", [&] {
        at.numberList("halo", stroke.halo);
        at.numberList("whatIf", stroke.whatIf);
        at.numberList("reroute", stroke.reroute);
    });
}

void read(TokenReader& at, Sizes::Size& s) {
    at.numbers({{"topBar", &s.topBar},
                {"statusBar", &s.statusBar},
                {"dockTitle", &s.dockTitle},
                {"row", &s.row},
                {"rowTable", &s.rowTable},
                {"control", &s.control},
                {"controlSmall", &s.controlSmall},
                {"icon", &s.icon},
                {"iconLarge", &s.iconLarge},
                {"nodeWidth", &s.nodeWidth},
                {"nodeHeight", &s.nodeHeight},
                {"nodeCompact", &s.nodeCompact},
                {"rulerCompact", &s.rulerCompact},
                {"freeRing", &s.freeRing},
                {"ruler", &s.ruler},
                {"port", &s.port},
                {"badge", &s.badge},
                {"badgeBoundary", &s.badgeBoundary},
                {"badgeFar", &s.badgeFar},
                {"drawing", &s.drawing},
                {"drawingGap", &s.drawingGap},
                {"tileGap", &s.tileGap},
                {"sheetStep", &s.sheetStep},
                {"threadPitch", &s.threadPitch},
                {"threadLength", &s.threadLength},
                {"dictionary", &s.dictionary},
                {"costBar", &s.costBar},
                {"exposedBar", &s.exposedBar},
                {"minimapWidth", &s.minimapWidth},
                {"minimapHeight", &s.minimapHeight},
                {"hitMinimum", &s.hitMinimum},
                {"track", &s.track},
                {"trackPredicted", &s.trackPredicted},
                {"trackMeasured", &s.trackMeasured},
                {"trackCollectives", &s.trackCollectives}});
    at.number("threadWidth", s.threadWidth);
}

void read(TokenReader& at, Sizes& sizes) {
    at.enter("space", [&] {
        auto& s = sizes.space;
        at.numbers({{"hair", &s.hair},
                    {"xxs", &s.xxs},
                    {"xs", &s.xs},
                    {"s", &s.s},
                    {"m", &s.m},
                    {"l", &s.l},
                    {"xl", &s.xl},
                    {"xxl", &s.xxl},
                    {"xxxl", &s.xxxl},
                    {"huge", &s.huge},
                    {"grid", &s.grid}});
    });
    at.enter("radius", [&] {
        auto& s = sizes.radius;
        at.numbers({{"bar", &s.bar},
                    {"control", &s.control},
                    {"node", &s.node},
                    {"frame", &s.frame},
                    {"dialog", &s.dialog},
                    {"pill", &s.pill}});
    });
    at.enter("type", [&] { read(at, sizes.type); });
    at.enter("stroke", [&] { read(at, sizes.stroke); });
    at.enter("size", [&] { read(at, sizes.size); });
    at.enter("duration", [&] {
        auto& s = sizes.duration;
        at.numbers({{"instant", &s.instant},
                    {"fast", &s.fast},
                    {"normal", &s.normal},
                    {"slow", &s.slow},
                    {"liveBeat", &s.liveBeat},
                    {"reduced", &s.reduced}});
    });
    at.enter("zoom", [&] {
        auto& s = sizes.zoom;
        for (const auto& [name, value] :
             std::initializer_list<std::pair<const char*, double*>>{{"min", &s.min},
                                                                    {"max", &s.max},
                                                                    {"text", &s.text},
                                                                    {"blocks", &s.blocks},
                                                                    {"step", &s.step}}) {
            at.number(name, *value);
        }
    });
}

} // namespace

const QColor& Theme::ofDevice(int slot) const {
    if (slot < 0) {
        return surface.raised;
    }
    return device[static_cast<std::size_t>(slot % deviceColours)];
}

const QColor& Theme::digitOn(int slot) const {
    return deviceDigit[static_cast<std::size_t>(slot % deviceColours)];
}

const QColor& Theme::ofCategory(const QString& name) const {
    // Twelve tints are all that can be told apart; kindred categories of the catalogue share one.
    static const std::map<QString, QString> kin{{"input", "data"},
                                                {"combine", "shape"},
                                                {"embedding", "dense"},
                                                {"metric", "loss"},
                                                {"normalisation", "normalization"},
                                                {"regularisation", "activation"}};
    const auto kindred = kin.find(name);
    const auto found = category.find(kindred == kin.end() ? name : kindred->second);
    return found != category.end() ? found->second : category.at(QStringLiteral("custom"));
}

Tokens readTokens(const QByteArray& json) {
    Tokens tokens;
    TokenReader at(json);
    for (const char* word : {"name", "version", "note", "deviceNames", "zOrder"}) {
        at.skip(word);
    }
    at.enter("theme", [&] {
        at.enter("dark", [&] { read(at, tokens.dark); });
        at.enter("light", [&] { read(at, tokens.light); });
    });
    tokens.light.isDark = false;
    read(at, tokens.sizes);
    tokens.faults = at.faults();
    tokens.unread = at.unread();
    return tokens;
}

const Tokens& tokens() {
    static const Tokens all = [] {
        bringResources();
        QFile file(QStringLiteral(":/themes/tokens.json"));
        file.open(QIODevice::ReadOnly);
        return readTokens(file.readAll());
    }();
    return all;
}

} // namespace weft::ui
