// SPDX-License-Identifier: Apache-2.0
#pragma once
// The frames of films as they were read, cut to what is shown of them: what is shown again, in
// another epoch or with the frames that follow, is not decoded again while there is room. Read by
// any number of threads.

#include "data/films/film_list.h"
#include "data/films/place_frame.h"

#include <memory>
#include <mutex>
#include <random>
#include <unordered_map>

namespace weft {

class CachedFrames {
public:
    /// `frames`: of all films, one after another. `jitter`: how far a view of one is shifted at
    /// most.
    CachedFrames(Film frames, const FrameForm& form, std::int64_t jitter, std::size_t mostBytes);

    /// Error{format} names the file that is none, or of another size than it was.
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
    mutable std::vector<std::int64_t> numbers_; ///< of what is kept
    mutable std::size_t bytes_ = 0;
    mutable std::minstd_rand drawn_;
};

} // namespace weft
