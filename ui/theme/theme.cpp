// SPDX-License-Identifier: Apache-2.0
#include "theme/theme.h"

#include "theme/token_reader.h"

#include <QFile>
#include <limits>

// Links the resources of the static library; the macro must be used outside of namespaces.
// NOLINTNEXTLINE(misc-use-anonymous-namespace): the macro declares what is in none
static void bringResources() { Q_INIT_RESOURCE(weft); }

namespace weft::ui {

namespace {

void read(TokenReader& reader, Theme& theme) {
    reader.enter("surface", [&] {
        auto& s = theme.surface;
        reader.colours({{"window", &s.window},
                        {"canvas", &s.canvas},
                        {"dock", &s.dock},
                        {"node", &s.node},
                        {"raised", &s.raised},
                        {"hover", &s.hover},
                        {"field", &s.field},
                        {"overlay", &s.overlay}});
    });
    reader.enter("text", [&] {
        auto& s = theme.text;
        reader.colours({{"primary", &s.primary},
                        {"secondary", &s.secondary},
                        {"tertiary", &s.tertiary},
                        {"disabled", &s.disabled},
                        {"onInk", &s.onInk}});
    });
    reader.enter("line", [&] {
        auto& s = theme.line;
        reader.colours({{"subtle", &s.subtle},
                        {"normal", &s.normal},
                        {"strong", &s.strong},
                        {"wire", &s.wire},
                        {"grid", &s.grid}});
    });
    reader.enter("accent", [&] {
        auto& s = theme.accent;
        reader.colours({{"ink", &s.ink},
                        {"inkHover", &s.inkHover},
                        {"selectionFill", &s.selectionFill},
                        {"focus", &s.focus}});
    });
    reader.enter("semantic", [&] {
        auto& s = theme.semantic;
        reader.colours(
            {{"error", &s.error}, {"warning", &s.warning}, {"ok", &s.ok}, {"info", &s.info}});
    });
    reader.enter("trace", [&] {
        auto& s = theme.trace;
        reader.colours({{"collective", &s.collective},
                        {"exposed", &s.exposed},
                        {"idle", &s.idle},
                        {"io", &s.io},
                        {"update", &s.update}});
    });
    reader.colourList("device", theme.device);
    reader.colourList("deviceDigit", theme.deviceDigit);
    reader.enter("category", [&] {
        for (const QString& name : reader.keys()) {
            reader.colours({{name, &theme.category[name]}});
        }
    });
}

void read(TokenReader& reader, Sizes::Type& type) {
    reader.enter("families", [&] {
        reader.texts("sans", type.sans);
        reader.texts("mono", type.mono);
        reader.skip("packages");
    });
    reader.enter("px", [&] {
        reader.numbers({{"micro", &type.micro},
                        {"small", &type.small},
                        {"body", &type.body},
                        {"label", &type.label},
                        {"title", &type.title},
                        {"heading", &type.heading},
                        {"display", &type.display}});
    });
    reader.enter("weight", [&] {
        reader.numbers(
            {{"regular", &type.regular}, {"medium", &type.medium}, {"semibold", &type.semibold}});
    });
    reader.number("lineHeight", type.lineHeight);
    reader.skip("use");
}

void read(TokenReader& reader, Sizes::Stroke& stroke) {
    for (const auto& [name, value] :
         std::initializer_list<std::pair<const char*, double*>>{{"hair", &stroke.hair},
                                                                {"icon", &stroke.icon},
                                                                {"selection", &stroke.selection},
                                                                {"focus", &stroke.focus},
                                                                {"nodeBorder", &stroke.nodeBorder},
                                                                {"plot", &stroke.plot}}) {
        reader.number(name, *value);
    }
    reader.each("wireSteps", [&] {
        Sizes::WireStep step = {std::numeric_limits<double>::infinity(), 0};
        reader.numberOrNull("belowBytes", step.belowBytes);
        reader.numbers({{"px", &step.px}});
        stroke.wireSteps.push_back(step);
    });
    reader.enter("dash", [&] {
        reader.numberList("halo", stroke.halo);
        reader.numberList("whatIf", stroke.whatIf);
        reader.numberList("reroute", stroke.reroute);
    });
}

void read(TokenReader& reader, Sizes::Size& s) {
    reader.numbers({{"topBar", &s.topBar},
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
                    {"timeBarBox", &s.timeBarBox},
                    {"exposedBar", &s.exposedBar},
                    {"minimapWidth", &s.minimapWidth},
                    {"minimapHeight", &s.minimapHeight},
                    {"hitMinimum", &s.hitMinimum},
                    {"track", &s.track},
                    {"trackPredicted", &s.trackPredicted},
                    {"trackMeasured", &s.trackMeasured},
                    {"trackCollectives", &s.trackCollectives}});
    reader.number("threadWidth", s.threadWidth);
}

void read(TokenReader& reader, Sizes& sizes) {
    reader.enter("space", [&] {
        auto& s = sizes.space;
        reader.numbers({{"hair", &s.hair},
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
    reader.enter("radius", [&] {
        auto& s = sizes.radius;
        reader.numbers({{"bar", &s.bar},
                        {"control", &s.control},
                        {"node", &s.node},
                        {"frame", &s.frame},
                        {"dialog", &s.dialog},
                        {"pill", &s.pill}});
    });
    reader.enter("type", [&] { read(reader, sizes.type); });
    reader.enter("stroke", [&] { read(reader, sizes.stroke); });
    reader.enter("size", [&] { read(reader, sizes.size); });
    reader.enter("duration", [&] {
        auto& s = sizes.duration;
        reader.numbers({{"instant", &s.instant},
                        {"fast", &s.fast},
                        {"normal", &s.normal},
                        {"slow", &s.slow},
                        {"liveBeat", &s.liveBeat},
                        {"reduced", &s.reduced}});
    });
    reader.enter("zoom", [&] {
        auto& s = sizes.zoom;
        for (const auto& [name, value] :
             std::initializer_list<std::pair<const char*, double*>>{{"min", &s.min},
                                                                    {"max", &s.max},
                                                                    {"text", &s.text},
                                                                    {"blocks", &s.blocks},
                                                                    {"step", &s.step}}) {
            reader.number(name, *value);
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
    // Only twelve tints can be distinguished, so related categories share one.
    static const std::map<QString, QString> kin{{"input", "data"},
                                                {"combine", "shape"},
                                                {"elementwise", "activation"},
                                                {"embedding", "dense"},
                                                {"metric", "loss"},
                                                {"normalisation", "normalization"},
                                                {"reduce", "pooling"},
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
