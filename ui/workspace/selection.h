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
    [[nodiscard]] const Network& network() const;
    void enter(const NetworkPath& path);

    [[nodiscard]] const std::set<LayerId>& layers() const { return layers_; }
    [[nodiscard]] std::vector<LayerId> list() const { return {layers_.begin(), layers_.end()}; }
    [[nodiscard]] bool has(LayerId layer) const { return layers_.contains(layer); }
    /// The layer selected last, whose values the inspector shows.
    [[nodiscard]] LayerId current() const { return current_; }
    [[nodiscard]] const std::optional<Wire>& wire() const { return wire_; }
    [[nodiscard]] bool isEmpty() const { return layers_.empty() && !wire_; }

    void clear();
    void select(const std::vector<LayerId>& layers);
    void add(const std::vector<LayerId>& layers);
    void toggle(LayerId layer);
    void selectWire(const Wire& wire);
    /// `growUpstream` and `growDownstream` add all layers that feed the selection, or that it
    /// feeds.
    void growUpstream();
    void growDownstream();

Q_SIGNALS:
    void changed();
    void pathChanged();

private:
    void set(std::set<LayerId> layers, LayerId current, std::optional<Wire> wire);
    void forgetWhatIsGone();
    void grow(bool isUpstream);

    DesignDocument& document_;
    NetworkPath path_;
    std::set<LayerId> layers_;
    LayerId current_;
    std::optional<Wire> wire_;
};

} // namespace weft::ui
