// SPDX-License-Identifier: Apache-2.0
#pragma once
// Builds display lists: small ones immediately, large ones on another thread; only the newest
// request is delivered. Lives on the GUI thread.

#include "canvas/scene/build_display_list.h"
#include "document/live_check.h"

#include <QObject>

namespace weft::ui {

class DisplayListBuilder : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// Input of a display list, with copies of everything that may change meanwhile.
    struct Request {
        const Design* design = nullptr; ///< only read during `buildList`
        NetworkPath path = {};          ///< the network that is shown
        Kinds kinds;
        std::shared_ptr<const CheckedDesign> check;
        std::set<LayerId> collapsed = {}; ///< drawn as one line
        std::set<LayerId> portless = {};  ///< drawn without unconnected ports
        int rank = -1;                    ///< device whose view is shown; -1: all
        std::shared_ptr<const ProofDifferences> proof = {};
    };
    void buildList(Request request);                      ///< emits `listBuilt`, at once or later
    [[nodiscard]] bool isBusy() const { return isBusy_; } ///< true while a list is being built

Q_SIGNALS:
    void listBuilt(const std::shared_ptr<weft::ui::DisplayList>& list);

private:
    void start(std::shared_ptr<Request> request, std::shared_ptr<const Design> design);

    bool isBusy_ = false;           ///< a list is being built
    std::shared_ptr<Request> next_; ///< the request that arrived while another was being built
    std::shared_ptr<const Design> nextDesign_; ///< copy of the design for `next_`
};

} // namespace weft::ui
