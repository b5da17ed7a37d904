// SPDX-License-Identifier: Apache-2.0
#pragma once
// What a layer kind does: its ports, attributes and parameters. Follows the selection while it is
// seen; links lead to the other pages.

#include "session/panel.h"

class QTextBrowser;

namespace weft::ui {

class HelpPanel : public Panel {
    Q_OBJECT

public:
    explicit HelpPanel(Bench& bench, QWidget* parent = nullptr);

    /// A kind of layer; the contents where there is none of this name.
    void showKind(const QString& kind);
    /// "kind:conv2d", "page:problems", "page:words", "page:lines", "page:hosts", "page:contents":
    /// what is shown.
    [[nodiscard]] const QString& page() const { return page_; }
    void turnTo(const QString& page);
    [[nodiscard]] QString text() const;

protected:
    void refresh(unsigned causes) override;

private:
    QTextBrowser* browser_;
    QString page_;
    LayerId followed_; ///< the layer that was selected last
};

} // namespace weft::ui
