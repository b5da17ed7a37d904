// SPDX-License-Identifier: Apache-2.0
#include "device/backend.h"

#include <weft/error.h>

#include <algorithm>

namespace weft {

void BackendList::add(Backend backend) {
    ensure(find(backend.name) == nullptr, "two backends have one name");
    backends_.push_back(std::move(backend));
}

const Backend* BackendList::find(std::string_view name) const {
    const auto found = std::ranges::find(backends_, name, &Backend::name);
    return found == backends_.end() ? nullptr : &*found;
}

} // namespace weft
