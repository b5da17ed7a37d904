// SPDX-License-Identifier: Apache-2.0
#include "panels/help/help_panel.h"

#include "panels/help/help_pages.h"

#include <QTextBrowser>
#include <QVBoxLayout>

namespace weft::ui {

namespace {

const QString contents = QStringLiteral("page:contents");
const QString kindPrefix = QStringLiteral("kind:");

} // namespace

HelpPanel::HelpPanel(WindowContext& context, QWidget* parent)
    : Panel(context, parent), browser_(new QTextBrowser(this)), page_(contents) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(browser_);
    browser_->setOpenLinks(false);
    browser_->setFrameShape(QFrame::NoFrame);
    browser_->document()->setDocumentMargin(tokens().sizes.space.l);
    browser_->viewport()->setAutoFillBackground(false);
    browser_->setAccessibleName(tr("Help"));
    setFocusProxy(browser_);
    connect(browser_, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& link) { showPage(link.toString()); });
}

QString HelpPanel::text() const { return browser_->toPlainText(); }

void HelpPanel::showKind(const QString& kind) { showPage(kindPrefix + kind); }

void HelpPanel::showPage(const QString& page) {
    const Theme& theme = context().look.theme();
    if (design() != nullptr) {
        followed_ = design()->selection().current(); // another page was requested explicitly
    }
    page_ = page;
    if (page == QLatin1String("page:problems")) {
        browser_->setHtml(problemsPage(theme));
        return;
    }
    if (page == QLatin1String("page:words")) {
        browser_->setHtml(timeWordsPage(theme));
        return;
    }
    if (page == QLatin1String("page:lines")) {
        browser_->setHtml(macroLinesPage(context().commands, theme));
        return;
    }
    if (page == QLatin1String("page:hosts")) {
        browser_->setHtml(hostsPage(theme));
        return;
    }
    const LayerKindInfo* kind =
        page.startsWith(kindPrefix)
            ? findKind(*context().kinds, page.mid(kindPrefix.size()).toStdString())
            : nullptr;
    page_ = kind == nullptr ? contents : page;
    browser_->setHtml(kind == nullptr ? contentsPage(*context().kinds, theme)
                                      : kindPage(*kind, theme));
}

void HelpPanel::refresh(unsigned causes) {
    const Layer* layer = design() == nullptr ? nullptr
                                             : findLayer(design()->selection().network(),
                                                         design()->selection().current());
    const bool isNew = layer != nullptr && layer->id != followed_;
    followed_ = layer == nullptr ? LayerId{} : layer->id;
    if (isNew) {
        showKind(QString::fromStdString(layer->kind));
    } else if ((causes & (designCause | lookCause)) != 0) {
        showPage(page_);
    }
}

} // namespace weft::ui
