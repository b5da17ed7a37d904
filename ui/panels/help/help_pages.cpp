// SPDX-License-Identifier: Apache-2.0
#include "panels/help/help_pages.h"

#include "catalogue/kind_search.h"
#include "theme/look.h"
#include "theme/style.h"
#include "widgets/attribute_field.h"
#include <weft/diagnostics.h>
#include <weft/settings.h>

#include <QCoreApplication>
#include <QLocale>

namespace weft::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("help", text); }

QString plain(const std::string& text) { return htmlOf(QString::fromStdString(text)); }

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

/// Returns a description such as "integer, at least 1, px; default 64".
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
    words << (spec.required        ? tr("required")
              : fallback.isEmpty() ? tr("optional")
                                   : tr("default %1").arg(fallback));
    return words.join(QStringLiteral(", "));
}

void addPorts(Page& page, const QString& title, const std::vector<PortInfo>& ports) {
    if (ports.empty()) {
        return;
    }
    page.heading(title);
    for (const PortInfo& port : ports) {
        page.row(page.code(plain(port.name)),
                 !port.perElementOf.empty() ? tr("one for each of %1").arg(plain(port.perElementOf))
                 : port.variadic            ? tr("any number of wires")
                 : port.optional            ? tr("optional")
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
        page.heading(tr("Learned parameters"));
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
              page.link(QStringLiteral("page:problems"), tr("Codes of problems")) + " · " +
              page.link(QStringLiteral("page:words"), timeTitle()) + " · " +
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

QString timeWordsPage(const Theme& theme) {
    Page page(theme);
    page.title(tr("Words of time"));
    for (const GlossaryWord& word : timeWords()) {
        page.row("<b>" + plain(word.name) + "</b>", {}, word.meaning);
    }
    page.text(page.link(QStringLiteral("page:contents"), tr("All layers")));
    return page.html();
}

QString macroLinesPage(const CommandSet& commands, const Theme& theme) {
    Page page(theme);
    page.title(tr("Lines of macros"));
    page.text(tr("A macro, or a script for weft-workbench --play, is a list of lines: a command "
                 "and its arguments. Arguments with blanks are quoted, # begins a comment. A line "
                 "that fails stops the macro; one Undo undoes the whole macro."));
    page.text(tr("Layers are called by name, or relative to the selection so that the lines apply "
                 "to other layers: %1 is the first layer selected at the beginning, %2 the first "
                 "that the macro added; %3 after it means the only layer that it feeds, %4 the "
                 "only layer that feeds it.")
                  .arg(page.code("$1"), page.code("+1"), page.code("&gt;"), page.code("&lt;")));
    const auto row = [&page](const QString& id, const QString& arguments, const QString& help) {
        page.row(page.code(id.toHtmlEscaped()), page.code(arguments.toHtmlEscaped()),
                 help.toStdString());
    };
    for (const LineInfo& line : commands.lines()) {
        row(line.id, line.arguments, line.help);
    }
    page.heading(tr("Commands without arguments"));
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
    page.text(tr("A host is a remote machine. Weft reaches it by a command that runs a shell "
                 "command there, such as %1. Its settings are stored on this machine, and no "
                 "design contains them.")
                  .arg(page.code("ssh cluster")));
    const auto list = [&page](const QString& heading, const QStringList& sentences) {
        page.heading(heading);
        for (const QString& sentence : sentences) {
            page.text(sentence);
        }
    };
    list(tr("Sent to the host"),
         {tr("The design of the run, and its initial weights if you name some."),
          tr("Data only if you ask for it, each file once. Otherwise the run reads the data from "
             "the folder on the host that you name."),
          tr("Commands to a run: pause, stop, observe a layer.")});
    list(tr("Received from the host"),
         {tr("The output of runs: curves, times and messages as they arrive; checkpoints, tensors "
             "and pictures when you open them or resume a run on this machine."),
          tr("The report of its devices, when you request it.")});
    list(
        tr("Never sent"),
        {tr("Keys, passwords and codes: only ssh handles them; Weft neither sees nor stores them."),
         tr("Other designs, files and runs, and the devices of this machine."),
         tr("Nothing is sent to anyone else. No port is opened, and no server is in between.")});
    list(tr("Stored on the host"),
         {tr("Jobs and their runs, and in %1 the engine that you install. The program that answers "
             "on the host ends with the connection; jobs continue without one. Removing a host "
             "from the list keeps its runs there and their copies here.")
              .arg(page.code("~/weft"))});
    list(tr("The connection"),
         {tr("All your programs share one ssh connection, which stays open for ten minutes; "
             "closing it ends no run."),
          tr("A lost connection is opened again automatically, without asking you anything. If ssh "
             "has to ask, press Connect, or type %1 in a terminal.")
              .arg(page.code("weft host check NAME"))});
    page.text(page.link(QStringLiteral("page:contents"), tr("All layers")));
    return page.html();
}

} // namespace weft::ui
