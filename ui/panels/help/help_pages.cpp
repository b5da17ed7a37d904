// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/help/help_pages.h"

#include "session/kind_search.h"
#include "theme/look.h"
#include "widgets/attribute_field.h"
#include <weft/diagnostics.h>
#include <weft/settings.h>

#include <QCoreApplication>
#include <QLocale>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("help", text); }

QString plain(const std::string& text) { return QString::fromStdString(text).toHtmlEscaped(); }

/// Builds rich text in the theme's style: titles, secondary text, file syntax.
class Page {
public:
    explicit Page(const Theme& theme) : theme_(theme) {}

    void title(const QString& text) {
        add(QStringLiteral("<p style='font-size:%1px; font-weight:%2'>%3</p>")
                .arg(tokens().sizes.type.title)
                .arg(tokens().sizes.type.semibold)
                .arg(text));
    }
    void heading(const QString& text) {
        add(QStringLiteral("<p style='font-weight:%1; margin-top:%2px'>%3</p>")
                .arg(tokens().sizes.type.semibold)
                .arg(tokens().sizes.space.l)
                .arg(text));
    }
    void text(const QString& html) { add("<p>" + html + "</p>"); }
    void row(const QString& name, const QString& aside, const std::string& help) {
        add(QStringLiteral("<p style='margin-top:%1px; margin-bottom:0'>%2 %3<br>%4</p>")
                .arg(tokens().sizes.space.xs)
                .arg(name, quiet(aside), plain(help)));
    }
    [[nodiscard]] QString quiet(const QString& html) const {
        return QStringLiteral("<span style='color:%1'>%2</span>")
            .arg(theme_.text.tertiary.name(), html);
    }
    [[nodiscard]] QString code(const QString& html) const {
        return QStringLiteral("<span style='font-family:%1; color:%2'>%3</span>")
            .arg(Look::mono(tokens().sizes.type.small).family(), theme_.text.primary.name(), html);
    }
    [[nodiscard]] QString link(const QString& to, const QString& html) const {
        return QStringLiteral("<a href='%1' style='color:%2'>%3</a>")
            .arg(to, theme_.text.primary.name(), html);
    }
    [[nodiscard]] QString html() const {
        return QStringLiteral("<div style='color:%1'>%2</div>")
            .arg(theme_.text.secondary.name(), html_);
    }

private:
    void add(const QString& html) { html_ += html; }
    const Theme& theme_;
    QString html_;
};

QString number(double value) {
    return QLocale::c().toString(value, 'g', 6).replace('-', QChar(0x2212));
}

/// Returns a description such as "integer, at least 1, px; 64 when not given".
QString aboutValue(const AttributeSpec& spec) {
    QStringList words;
    if (spec.choices.empty()) {
        words << QString::fromStdString(std::string(nameOf(typeOf(spec.defaultValue))));
    } else {
        QStringList choices;
        for (const std::string& choice : spec.choices) {
            choices << plain(choice);
        }
        words << choices.join(QStringLiteral(" | "));
    }
    if (spec.least) {
        words << tr("at least %1").arg(number(*spec.least));
    }
    if (spec.most) {
        words << tr("at most %1").arg(number(*spec.most));
    }
    if (!spec.unit.empty()) {
        words << plain(spec.unit);
    }
    const QString fallback = textOf(spec.defaultValue).toHtmlEscaped();
    words << (spec.required        ? tr("must be given")
              : fallback.isEmpty() ? tr("may be left out")
                                   : tr("%1 when not given").arg(fallback));
    return words.join(QStringLiteral(", "));
}

void addPorts(Page& page, const QString& title, const std::vector<PortInfo>& ports) {
    if (ports.empty()) {
        return;
    }
    page.heading(title);
    for (const PortInfo& port : ports) {
        page.row(page.code(plain(port.name)),
                 port.variadic   ? tr("any number of wires")
                 : port.optional ? tr("may be left out")
                                 : QString(),
                 port.help);
    }
}

QString timeTitle() { return tr("Iteration, step, update, sync"); }

} // namespace

QString kindPage(const LayerKindInfo& kind, const Theme& theme) {
    Page page(theme);
    page.title(plain(kind.title) + " " + page.quiet(page.code(plain(kind.kind))));
    page.text(plain(kind.help));
    if (!kind.synonyms.empty()) {
        QStringList names;
        for (const std::string& synonym : kind.synonyms) {
            names << plain(synonym);
        }
        page.text(page.quiet(tr("Also called %1").arg(names.join(QStringLiteral(", ")))));
    }
    addPorts(page, tr("Inputs"), kind.inputs);
    addPorts(page, tr("Outputs"), kind.outputs);
    if (!kind.attributes.empty()) {
        page.heading(tr("Attributes"));
        for (const AttributeSpec& spec : kind.attributes) {
            page.row(page.code(plain(spec.name)), aboutValue(spec), spec.help);
        }
    }
    if (!kind.parameters.empty()) {
        page.heading(tr("What it learns"));
        for (const ParameterInfo& parameter : kind.parameters) {
            page.row(page.code(plain(parameter.name)), {}, parameter.help);
        }
    }
    QString links = page.link(QStringLiteral("page:contents"), tr("All layers"));
    if (!kind.states.empty()) {
        links += " · " + page.link(QStringLiteral("page:words"), timeTitle());
    }
    page.text(links);
    return page.html();
}

QString contentsPage(const std::vector<LayerKindInfo>& kinds, const Theme& theme) {
    Page page(theme);
    page.title(tr("Layers"));
    page.text(page.quiet(tr("Select a layer and press F1 for its page.")) + " " +
              page.link(QStringLiteral("page:problems"), tr("What the codes of problems mean")) +
              " · " + page.link(QStringLiteral("page:words"), timeTitle()) + " · " +
              page.link(QStringLiteral("page:lines"), tr("Lines of macros")) + " · " +
              page.link(QStringLiteral("page:hosts"), tr("Hosts")));
    std::vector<std::string> categories;
    for (const LayerKindInfo& kind : kinds) {
        if (std::ranges::find(categories, kind.category) == categories.end()) {
            categories.push_back(kind.category);
        }
    }
    for (const std::string& category : categories) {
        page.heading(categoryTitle(QString::fromStdString(category)));
        QStringList links;
        for (const LayerKindInfo& kind : kinds) {
            if (kind.category == category) {
                links << page.link("kind:" + plain(kind.kind), plain(kind.title));
            }
        }
        page.text(links.join(QStringLiteral(" · ")));
    }
    return page.html();
}

QString problemsPage(const Theme& theme) {
    Page page(theme);
    page.title(tr("Problems"));
    for (const DiagnosticCode& code : diagnosticCodes()) {
        page.row(page.code(plain(std::string(code.code))), plain(std::string(code.title)),
                 std::string(code.help));
    }
    page.text(page.link(QStringLiteral("page:contents"), tr("All layers")));
    return page.html();
}

QString wordsPage(const Theme& theme) {
    Page page(theme);
    page.title(tr("Words of time"));
    for (const Word& word : wordsOfTime()) {
        page.row("<b>" + plain(word.name) + "</b>", {}, word.meaning);
    }
    page.text(page.link(QStringLiteral("page:contents"), tr("All layers")));
    return page.html();
}

QString linesPage(const CommandSet& commands, const Theme& theme) {
    Page page(theme);
    page.title(tr("Lines of macros"));
    page.text(tr("A macro, or a script for weft-workbench --play, is a list of lines: a command "
                 "and what it takes. Words with blanks stand in quotes, # begins a remark. A line "
                 "that cannot be done stops it, and one Undo takes all of it back."));
    page.text(tr("Layers are called by their names, or so that the same lines fit others: %1 is "
                 "the first layer that was selected at the beginning, %2 the first that the macro "
                 "made; %3 behind it leads on to the only layer that it feeds, %4 to the only one "
                 "that feeds it.")
                  .arg(page.code("$1"), page.code("+1"), page.code("&gt;"), page.code("&lt;")));
    const auto row = [&page](const QString& id, const QString& arguments, const QString& help) {
        page.row(page.code(id.toHtmlEscaped()), page.code(arguments.toHtmlEscaped()),
                 help.toStdString());
    };
    for (const LineInfo& line : commands.lines()) {
        row(line.id, line.arguments, line.help);
    }
    page.heading(tr("Commands that take nothing"));
    for (const CommandInfo& command : commands.all()) {
        if (command.isReplayed) {
            row(command.id, {}, command.help);
        }
    }
    page.text(page.link(QStringLiteral("page:contents"), tr("All layers")));
    return page.html();
}

QString hostsPage(const Theme& theme) {
    Page page(theme);
    page.title(tr("Hosts"));
    page.text(tr("A host is a machine that you do not sit at. It is reached by a command that "
                 "carries a line for a shell there, such as %1. What you say of it is kept among "
                 "your settings here, and no design names it.")
                  .arg(page.code("ssh cluster")));
    const auto list = [&page](const QString& heading, const QStringList& sentences) {
        page.heading(heading);
        for (const QString& sentence : sentences) {
            page.text(sentence);
        }
    };
    list(tr("What is sent there"),
         {tr("The design that runs, and the weights that it begins with where you name some."),
          tr("Data only where you say so, each file once. Else it is read there, from the folder "
             "that you name."),
          tr("What you ask of a run: to pause, to stop, to look into a layer.")});
    list(tr("What comes from there"),
         {tr("What runs write: curves, times and messages as they come; checkpoints, tensors and "
             "pictures when you open them, or let a run go on here."),
          tr("What the machine has, when you ask it.")});
    list(tr("What never leaves"),
         {tr("Keys, passwords and codes: they are ssh's alone, and Weft neither sees nor keeps "
             "them."),
          tr("Other designs and files, other runs, and what this machine has."),
          tr("Nothing goes to anybody else. No port is opened, and nobody stands in between.")});
    list(tr("What stays there"),
         {tr("Jobs and their runs, and in %1 the engine that you install. What answers there ends "
             "with its line, and jobs go on without one. Removing a host from the list leaves its "
             "runs there, and their copies here.")
              .arg(page.code("~/weft"))});
    list(tr("Its line"),
         {tr("A connection of ssh's is shared by all of your programs and kept for ten minutes; "
             "closing it ends no run."),
          tr("A line that is lost is taken up again by itself, which asks you nothing. Where ssh "
             "has to ask, press Connect, or type %1 in a terminal.")
              .arg(page.code("weft host check NAME"))});
    page.text(page.link(QStringLiteral("page:contents"), tr("All layers")));
    return page.html();
}

} // namespace weft::ui
