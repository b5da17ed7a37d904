// SPDX-License-Identifier: Apache-2.0
#pragma once
// The lens Difference: what has changed since another design. It is in no menu, because it needs a
// design to compare with.

#include "canvas/live/lens.h"
#include <weft/edits.h>

#include <QStringList>

namespace weft::ui {

class Difference : public Lens {
public:
    Difference();

    void compare(const Design& before, const Design& now, const NetworkPath& path);
    /// Returns the differences outside the shown network (settings, data, insides of groups), each
    /// as "learning_rate 0.1 -> 0.01".
    [[nodiscard]] const QStringList& otherChanges() const { return otherChanges_; }

    void stop() override;
    void fill(LiveFeed& feed, LiveNodes& nodes) override;
    [[nodiscard]] Dims dims() const override {
        return removed_.empty() ? Dims::allButMeant : Dims::all;
    }
    [[nodiscard]] bool isMeant(const LiveNode& node) const override {
        return node.change.has_value();
    }
    [[nodiscard]] bool keepsTimes() const override { return false; }
    void drawNode(QPainter& painter, const LiveScene& scene, int number,
                  const LiveNode& live) override;
    void drawOver(QPainter& painter, const QRect& exposed, const LiveScene& scene,
                  const LiveNodes& nodes) override;

private:
    /// A layer that exists only in the design to compare with.
    struct Removed {
        QString name;
        QRectF box;
        bool operator==(const Removed&) const = default;
    };
    [[nodiscard]] std::vector<Removed> removed(LiveFeed& feed) const;
    void drawChange(QPainter& painter, const LiveScene& scene, const QRect& box, ChangeSort change);

    Design before_;
    std::map<LayerId, ChangeSort> changes_;
    std::vector<LayerId> gone_;
    QStringList otherChanges_;
    std::vector<Removed> removed_;
};

} // namespace weft::ui
