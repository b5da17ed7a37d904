// SPDX-License-Identifier: Apache-2.0
#pragma once
// One types, sees what is meant, and takes it with Enter: adding a layer, the command palette,
// find. A child of the window, so that it is never a window of its own; it goes when it loses the
// focus.

#include "theme/look.h"

#include <QColor>
#include <QFrame>
#include <QPointer>
#include <functional>
#include <vector>

class QAction;
class QLineEdit;
class QListView;
class QStandardItem;
class QStandardItemModel;
class QStyledItemDelegate;

namespace weft::ui {

struct SearchRow {
    QString id;
    QString text;
    QString where = {}; ///< beside it, quieter
    QString key = {};   ///< at the right
    QString icon = {};
    QColor tint = {}; ///< of the icon; invalid: the text's colour
    std::vector<int> matched = {};
    bool isEnabled = true;
};

class SearchPopup : public QFrame {
    Q_OBJECT

public:
    /// `find` gives the rows for what is typed, best first.
    using Find = std::function<std::vector<SearchRow>(const QString& query)>;
    SearchPopup(Look& look, QWidget& window);

    using Take = std::function<void(const QString& id)>;
    using TakeAll = std::function<void(const QStringList& ids)>;
    /// `at`: its top left corner in the window; moved so that all of it is seen. `takeAll`: what
    /// Ctrl+Enter does with all rows; none: what Enter does.
    void open(QPoint at, int width, const QString& hint, Find find, Take take,
              TakeAll takeAll = {});

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fill();
    void choose();
    void chooseAll();
    /// The focus, to where it was.
    void giveBack();

    Look& look_;
    QLineEdit* field_;
    QAction* mark_ = nullptr;
    QListView* list_;
    QStandardItemModel* model_;
    Find find_;
    Take take_;
    TakeAll takeAll_;
    QPointer<QWidget> before_; ///< had the focus; gone, where it was a field for one text
};

/// Sorts rows by score, best first; ties keep their order.
[[nodiscard]] std::vector<SearchRow> bestFirst(std::vector<std::pair<double, SearchRow>> found);

/// Roles of the rows, for whoever shows such rows in a list of its own.
enum SearchRole : int { idRole = 0x101, whereRole, keyRole, iconRole, tintRole, matchedRole };
[[nodiscard]] QStyledItemDelegate* makeSearchDelegate(Look& look, int rowHeight, QObject* parent);
[[nodiscard]] QStandardItem* makeSearchItem(const SearchRow& row);

} // namespace weft::ui
