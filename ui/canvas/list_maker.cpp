// SPDX-License-Identifier: GPL-3.0-or-later
#include "canvas/list_maker.h"

#include "session/aside.h"

namespace weft::ui {

namespace {

/// Layers of a network whose list is made within a frame.
constexpr std::size_t atOnce = 2000;

DisplayList made(const ListMaker::Wish& wish, const Design& design) {
    DisplayRequest request;
    request.design = &design;
    request.path = wish.path;
    request.kinds = wish.kinds.get();
    request.preview = wish.check->revision > 0 ? wish.check->preview.get() : nullptr;
    request.older = wish.check->withStep.get();
    request.collapsed = wish.collapsed;
    request.portless = wish.portless;
    request.rank = wish.rank;
    request.proof = wish.proof.get();
    return buildDisplayList(request);
}

} // namespace

void ListMaker::make(Wish wish) {
    if (!isBusy_ && networkAt(*wish.design, wish.path).layers.size() <= atOnce) {
        emit this->made(std::make_shared<DisplayList>(ui::made(wish, *wish.design)));
        return;
    }
    auto design = std::make_shared<const Design>(*wish.design);
    auto kept = std::make_shared<Wish>(std::move(wish));
    if (isBusy_) {
        next_ = std::move(kept);
        nextDesign_ = std::move(design);
    } else {
        start(std::move(kept), std::move(design));
    }
}

void ListMaker::start(std::shared_ptr<Wish> wish, std::shared_ptr<const Design> design) {
    isBusy_ = true;
    aside(
        this,
        [wish = std::move(wish), design = std::move(design)] {
            return std::make_shared<DisplayList>(ui::made(*wish, *design));
        },
        [this](const std::shared_ptr<DisplayList>& list) {
            isBusy_ = false;
            if (next_) {
                start(std::exchange(next_, {}), std::exchange(nextDesign_, {}));
            }
            emit this->made(list);
        });
}

} // namespace weft::ui
