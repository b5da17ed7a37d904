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
    [[nodiscard]] std::shared_ptr<const FrameCut> at(std::int64_t frame) const; ///< or decodes it

private:
    using Cut = std::shared_ptr<const FrameCut>;
    void insert(std::int64_t frame, const Cut& cut) const; ///< evicts others if the cache is full

    Film frames_; ///< files of all films, in order
    FrameForm form_;
    std::int64_t jitter_;   ///< largest random shift of a view, in pixels
    std::size_t mostBytes_; ///< limit of the cache's size
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::int64_t, Cut> cuts_; ///< the cache, by frame
    mutable std::vector<std::int64_t> cachedFrames_;     ///< keys of `cuts_`
    mutable std::size_t cachedBytes_ = 0;                ///< memory of the cache
    mutable std::minstd_rand rng_;                       ///< draws the frame to evict
};

} // namespace weft
