// SPDX-License-Identifier: Apache-2.0
#include "canvas/scene/list_maker.h"

#include "workspace/aside.h"

namespace weft::ui {

namespace {

/// Up to this many layers, the display list is built within a frame.
constexpr std::size_t atOnce = 2000;

DisplayList builtList(const DisplayListBuilder::Request& wanted, const Design& design) {
    DisplayRequest request;
    request.design = &design;
    request.path = wanted.path;
    request.kinds = wanted.kinds.get();
    request.preview = wanted.check->revision > 0 ? wanted.check->preview.get() : nullptr;
    request.older = wanted.check->withStep.get();
    request.collapsed = wanted.collapsed;
    request.portless = wanted.portless;
    request.rank = wanted.rank;
    request.proof = wanted.proof.get();
    return buildDisplayList(request);
}

} // namespace

void DisplayListBuilder::buildList(Request request) {
    if (!isBusy_ && networkAt(*request.design, request.path).layers.size() <= atOnce) {
        emit this->listBuilt(
            std::make_shared<DisplayList>(ui::builtList(request, *request.design)));
        return;
    }
    auto design = std::make_shared<const Design>(*request.design);
    auto kept = std::make_shared<Request>(std::move(request));
    if (isBusy_) {
        next_ = std::move(kept);
        nextDesign_ = std::move(design);
    } else {
        start(std::move(kept), std::move(design));
    }
}

void DisplayListBuilder::start(std::shared_ptr<Request> request,
                               std::shared_ptr<const Design> design) {
    isBusy_ = true;
    runInBackground(
        this,
        [request = std::move(request), design = std::move(design)] {
            return std::make_shared<DisplayList>(ui::builtList(*request, *design));
        },
        [this](const std::shared_ptr<DisplayList>& list) {
            isBusy_ = false;
            if (next_) {
                start(std::exchange(next_, {}), std::exchange(nextDesign_, {}));
            }
            emit this->listBuilt(list);
        });
}

} // namespace weft::ui
