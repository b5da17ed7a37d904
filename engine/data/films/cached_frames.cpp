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
        if (const auto found = kept_.find(frame); found != kept_.end()) {
            return found->second;
        }
    }
    const PictureAt& file = frames_[static_cast<std::size_t>(frame)];
    const Still picture = readPicture(file, form_.background);
    ensureFits(file.path, picture.form, form_);
    auto cut = std::make_shared<const FrameCut>(cutFrame(picture, form_, jitter_));
    keep(frame, cut);
    return cut;
}

void CachedFrames::keep(std::int64_t frame, const Cut& cut) const {
    const std::scoped_lock lock(mutex_);
    const std::size_t more = bytesOf(*cut);
    // Evicts a random frame: with cyclic access, the oldest is the one needed next.
    while (!numbers_.empty() && bytes_ + more > mostBytes_) {
        std::swap(numbers_[drawn_() % numbers_.size()], numbers_.back());
        const auto gone = kept_.find(numbers_.back());
        bytes_ -= bytesOf(*gone->second);
        kept_.erase(gone);
        numbers_.pop_back();
    }
    if (more <= mostBytes_ && kept_.emplace(frame, cut).second) {
        numbers_.push_back(frame);
        bytes_ += more;
    }
}

} // namespace weft
