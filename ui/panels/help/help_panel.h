// SPDX-License-Identifier: Apache-2.0
#pragma once
// Panel with the help of a layer kind: ports, attributes and parameters. Follows the selection
// while visible; links open other pages.

#include "workspace/panel.h"

class QTextBrowser;

namespace weft::ui {

class HelpPanel : public Panel {
    Q_OBJECT

public:
    explicit HelpPanel(WindowContext& context, QWidget* parent = nullptr);

    /// Shows a layer kind; the table of contents if there is no such kind.
    void showKind(const QString& kind);
    /// Id of the shown page: "kind:conv2d", "page:problems", "page:words", "page:lines",
    /// "page:hosts" or "page:contents".
    [[nodiscard]] const QString& page() const { return page_; }
    void showPage(const QString& page);
    [[nodiscard]] QString text() const; ///< plain text of the page

protected:
    void refresh(unsigned causes) override;

private:
    QTextBrowser* browser_;
    QString page_;
    LayerId followed_; ///< the layer selected last
};

} // namespace weft::ui
