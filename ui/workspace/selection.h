// SPDX-License-Identifier: Apache-2.0
#pragma once
// The selection in one document, shared by all views: layers of one network, or one wire. Items
// removed from the design are deselected automatically.

#include "document/design_document.h"

#include <QObject>
#include <optional>
#include <set>

namespace weft::ui {

class Selection : public QObject {
    Q_OBJECT

public:
    explicit Selection(DesignDocument& document, QObject* parent = nullptr);

    /// The shown network: the top level or the inside of a group definition.
    [[nodiscard]] const NetworkPath& path() const { return path_; }
    [[nodiscard]] const Network& network() const; ///< the shown one
    void enter(const NetworkPath& path);          ///< shows this network

    [[nodiscard]] const std::set<LayerId>& layers() const { return layers_; }
    [[nodiscard]] std::vector<LayerId> list() const { return {layers_.begin(), layers_.end()}; }
    [[nodiscard]] bool has(LayerId layer) const { return layers_.contains(layer); }
    [[nodiscard]] LayerId current() const { return current_; } ///< selected last
    [[nodiscard]] const std::optional<Wire>& wire() const { return wire_; }
    [[nodiscard]] bool isEmpty() const { return layers_.empty() && !wire_; }

    void clear();
    void select(const std::vector<LayerId>& layers); ///< instead of the present selection
    void add(const std::vector<LayerId>& layers);
    void toggle(LayerId layer);
    void selectWire(const Wire& wire);
    void growUpstream();   ///< adds all layers that feed the selection
    void growDownstream(); ///< adds all layers that the selection feeds

Q_SIGNALS:
    void changed();
    void pathChanged(); ///< another network is shown

private:
    void set(std::set<LayerId> layers, LayerId current, std::optional<Wire> wire);
    void deselectRemoved();     ///< what is no longer in the design
    void grow(bool isUpstream); ///< adds all layers that feed the selection, or that it feeds

    DesignDocument& document_;
    NetworkPath path_;         ///< the shown network: top level or a group
    std::set<LayerId> layers_; ///< the selected ones
    LayerId current_;          ///< selected last
    std::optional<Wire> wire_; ///< the selected wire; then no layer is selected
};

} // namespace weft::ui
