// SPDX-License-Identifier: Apache-2.0
#include "schedule/kernel_chooser.h"

namespace weft {

std::shared_ptr<const KernelChoice> KernelChooser::choose(const KernelRequest& request,
                                                          const Suits& suits,
                                                          const Refused& refused) const {
    for (const KernelList* list : {&makers_, &lastResort_}) {
        for (const KernelMaker& maker : list->of(request.op)) {
            ChoiceOrRefusal answer = maker.choose(request);
            if (!answer) {
                refused ? refused(maker, answer.error()) : void();
            } else if (!suits || suits(*answer)) {
                return std::make_shared<const KernelChoice>(std::move(*answer));
            }
        }
    }
    return nullptr;
}

} // namespace weft
