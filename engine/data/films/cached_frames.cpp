// SPDX-License-Identifier: Apache-2.0
#include "data/films/cached_frames.h"

#include <utility>

namespace weft {

namespace {

std::size_t bytesOf(const FrameCut& cut) {
    constexpr std::size_t around = 256; // overhead of the map and of allocations
    return cut.picture.samples.size() * sizeof(std::uint16_t) + around;
}

} // namespace

CachedFrames::CachedFrames(Film frames, const FrameForm& form, std::int64_t jitter,
                           std::size_t mostBytes)
    : frames_(std::move(frames)), form_(form), jitter_(jitter), mostBytes_(mostBytes) {}

std::shared_ptr<const FrameCut> CachedFrames::at(std::int64_t frame) const {
    {
        const std::scoped_lock lock(mutex_);
        if (const auto found = cuts_.find(frame); found != cuts_.end()) {
            return found->second;
        }
    }
    const PictureAt& file = frames_[static_cast<std::size_t>(frame)];
    const Still picture = readPicture(file, form_.background);
    ensureFits(file.path, picture.form, form_);
    auto cut = std::make_shared<const FrameCut>(cutFrame(picture, form_, jitter_));
    insert(frame, cut);
    return cut;
}

void CachedFrames::insert(std::int64_t frame, const Cut& cut) const {
    const std::scoped_lock lock(mutex_);
    const std::size_t more = bytesOf(*cut);
    // Evicts a random frame: with cyclic access, the oldest is the one needed next.
    while (!cachedFrames_.empty() && cachedBytes_ + more > mostBytes_) {
        std::swap(cachedFrames_[rng_() % cachedFrames_.size()], cachedFrames_.back());
        const auto gone = cuts_.find(cachedFrames_.back());
        cachedBytes_ -= bytesOf(*gone->second);
        cuts_.erase(gone);
        cachedFrames_.pop_back();
    }
    if (more <= mostBytes_ && cuts_.emplace(frame, cut).second) {
        cachedFrames_.push_back(frame);
        cachedBytes_ += more;
    }
}

} // namespace weft
