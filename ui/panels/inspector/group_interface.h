// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Edits a group's interface: ports and the inner ports they stand for, parameters and their
// defaults. Rebuilt when any of these change.

#include "session/bench.h"
#include <weft/group_edits.h>

#include <QWidget>

class QHBoxLayout;
class QToolButton;
class QVBoxLayout;

namespace weft::ui {

class GroupInterface : public QWidget {
    Q_OBJECT

public:
    /// `group`: the name of an existing group definition.
    GroupInterface(Bench& bench, OpenDesign& design, std::string group, QWidget* parent = nullptr);

    /// All that is shown of a group, as one word to compare.
    [[nodiscard]] static QString wordFor(const Design& design, const std::string& group);

private:
    void buildPorts(QVBoxLayout& layout, PortSide side);
    void buildParameters(QVBoxLayout& layout);
    QToolButton* addHead(QVBoxLayout& layout, const QString& title, const QString& help,
                         const QString& word);
    QHBoxLayout* addRow(QVBoxLayout& layout);
    /// A part of a group as its editors are called among themselves.
    struct Part {
        const char* kind; ///< "input"
        std::string name;
        QString text; ///< as people read it: "input x"
        [[nodiscard]] QString word(const char* role) const;
    };
    /// What it was comes back where another is refused.
    void addName(QHBoxLayout& row, const Part& part,
                 std::function<Edited(Design&, const std::string&)> rename);
    void addRemove(QHBoxLayout& row, const Part& part, DesignDocument::Edit remove);
    QToolButton* makeButton(const QString& icon, const QString& text, const QString& word);
    /// Below a button, each port inside that may be chosen there.
    void offer(QToolButton& below, PortSide side, const std::vector<Endpoint>& chosen,
               const std::function<void(const Endpoint&)>& choose);
    /// Ports inside that nothing feeds yet; or all that make something.
    [[nodiscard]] std::vector<Endpoint> freeEnds(PortSide side) const;
    [[nodiscard]] QString textOf(const Endpoint& end) const;
    [[nodiscard]] const GroupDefinition& definition() const;
    Edited edit(const QString& name, const DesignDocument::Edit& change);

    Bench& bench_;
    OpenDesign& design_;
    std::string group_;
};

} // namespace weft::ui
