// SPDX-License-Identifier: Apache-2.0
#pragma once
// Makes display lists: small ones at once, large ones on another thread, of which only the newest
// that was asked for is told. Lives on the GUI thread.

#include "canvas/build_display_list.h"
#include "document/live_check.h"

#include <QObject>

namespace weft::ui {

class ListMaker : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// What a list is made of; with copies of its own of what others may change meanwhile.
    struct Request {
        const Design* design = nullptr; ///< only looked at during `make`
        NetworkPath path = {};
        Kinds kinds;
        std::shared_ptr<const CheckedDesign> check;
        std::set<LayerId> collapsed = {};
        std::set<LayerId> portless = {};
        int rank = -1;
        std::shared_ptr<const ProofMarks> proof = {};
    };
    void make(Request request);
    /// Whether a list is still on its way.
    [[nodiscard]] bool isBusy() const { return isBusy_; }

Q_SIGNALS:
    void made(const std::shared_ptr<weft::ui::DisplayList>& list);

private:
    void start(std::shared_ptr<Request> request, std::shared_ptr<const Design> design);

    bool isBusy_ = false;
    /// Asked for while another was being made.
    std::shared_ptr<Request> next_;
    std::shared_ptr<const Design> nextDesign_;
};

} // namespace weft::ui
