// SPDX-License-Identifier: Apache-2.0
#pragma once
// Search popup: shows matches while typing; Enter chooses one. Used for adding layers, the command
// palette and find. It is a child of the window rather than a window of its own, and closes when it
// loses the focus.

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
    QString where = {}; ///< shown beside the text in grey
    QString key = {};   ///< shown on the right
    QString icon = {};
    QColor tint = {};              ///< colour of the icon; invalid: the text's colour
    std::vector<int> matched = {}; ///< indices of the matched letters of `text`
    bool isEnabled = true;         ///< can be chosen
};

class SearchPopup : public QFrame {
    Q_OBJECT

public:
    /// Returns the rows for a query, best first.
    using Find = std::function<std::vector<SearchRow>(const QString& query)>;
    SearchPopup(Look& look, QWidget& window);

    using Take = std::function<void(const QString& id)>; ///< called with the chosen row
    using TakeAll = std::function<void(const QStringList& ids)>;
    /// `at`: position of the top left corner in the window, moved so that the popup is fully
    /// visible. `takeAll`: called by Ctrl+Enter with all rows; if missing, Ctrl+Enter acts like
    /// Enter.
    void open(QPoint at, int width, const QString& hint, Find find, Take take,
              TakeAll takeAll = {});

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fill();      ///< with the rows for the query
    void choose();    ///< the selected row
    void chooseAll(); ///< all rows
    /// Returns the focus to the widget that had it.
    void returnFocus();

    Look& look_;
    QLineEdit* field_; ///< for the query
    QAction* searchIcon_ = nullptr;
    QListView* list_;           ///< shows the rows
    QStandardItemModel* model_; ///< holds the rows
    Find find_;
    Take take_;
    TakeAll takeAll_;
    QPointer<QWidget> focusBefore_; ///< had the focus; nullptr: a temporary editor, now deleted
};

/// Sorts rows by score, best first; ties keep their order.
[[nodiscard]] std::vector<SearchRow> bestFirst(std::vector<std::pair<double, SearchRow>> found);

/// Data roles of the rows, for lists that show such rows themselves.
enum SearchRole : int { idRole = 0x101, whereRole, keyRole, iconRole, tintRole, matchedRole };
[[nodiscard]] QStyledItemDelegate* makeSearchDelegate(Look& look, int rowHeight, QObject* parent);
[[nodiscard]] QStandardItem* makeSearchItem(const SearchRow& row);

} // namespace weft::ui
