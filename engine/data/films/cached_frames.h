// SPDX-License-Identifier: Apache-2.0
#pragma once
// A cache of decoded film frames, cropped to the part that can be shown, so that frames are not
// decoded again in later epochs or examples. Bounded in size and thread-safe.

#include "data/films/film_list.h"
#include "data/films/place_frame.h"

#include <memory>
#include <mutex>
#include <random>
#include <unordered_map>

namespace weft {

class CachedFrames {
public:
    /// `frames`: all films concatenated. `jitter`: the largest shift of a view.
    CachedFrames(Film frames, const FrameForm& form, std::int64_t jitter, std::size_t mostBytes);

    /// Throws Error{format} naming the file if it is not a picture or has changed its size.
    [[nodiscard]] std::shared_ptr<const FrameCut> at(std::int64_t frame) const;

private:
    using Cut = std::shared_ptr<const FrameCut>;
    void keep(std::int64_t frame, const Cut& cut) const;

    Film frames_;
    FrameForm form_;
    std::int64_t jitter_;
    std::size_t mostBytes_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::int64_t, Cut> kept_;
    mutable std::vector<std::int64_t> numbers_; ///< keys of `kept_`
    mutable std::size_t bytes_ = 0;
    mutable std::minstd_rand drawn_;
};

} // namespace weft
