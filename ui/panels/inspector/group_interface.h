// SPDX-License-Identifier: Apache-2.0
#pragma once
// Edits a group's interface: ports and the inner ports they stand for, parameters and their
// defaults. Rebuilt when any of these change.

#include "workspace/window_context.h"
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
    GroupInterface(WindowContext& context, OpenDesign& design, std::string group,
                   QWidget* parent = nullptr);

    /// Returns a key of everything that is shown of a group, to detect changes.
    [[nodiscard]] static QString contentKey(const Design& design, const std::string& group);

private:
    void buildPorts(QVBoxLayout& layout, PortSide side);
    void buildParameters(QVBoxLayout& layout);
    QToolButton* addHeading(QVBoxLayout& layout, const QString& title, const QString& help,
                            const QString& objectName);
    QHBoxLayout* addRow(QVBoxLayout& layout);
    /// A row of the interface, from which the object names of its editors are made.
    struct Row {
        const char* kind; ///< such as "input"
        std::string name;
        QString text; ///< readable name, such as "input x"
        [[nodiscard]] QString objectName(const char* role) const;
    };
    /// Restores the old name if a new name is refused.
    void addName(QHBoxLayout& row, const Row& part,
                 std::function<Edited(Design&, const std::string&)> rename);
    void addRemove(QHBoxLayout& row, const Row& part, DesignDocument::Edit remove);
    QToolButton* makeButton(const QString& icon, const QString& text, const QString& objectName);
    /// Fills the button's menu with the inner ports that can be chosen.
    void fillPortMenu(QToolButton& below, PortSide side, const std::vector<Endpoint>& chosen,
                      const std::function<void(const Endpoint&)>& choose);
    /// Returns unconnected input ports inside the group, or all output ports.
    [[nodiscard]] std::vector<Endpoint> availablePorts(PortSide side) const;
    [[nodiscard]] QString portText(const Endpoint& end) const;
    [[nodiscard]] const GroupDefinition& definition() const;
    Edited edit(const QString& name, const DesignDocument::Edit& change);

    WindowContext& context_;
    OpenDesign& design_;
    std::string group_;
};

} // namespace weft::ui
