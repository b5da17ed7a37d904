// SPDX-License-Identifier: Apache-2.0
#pragma once
// From a picture of any size to the numbers of a frame: cut or surrounded, in grey or colour,
// shifted, mirrored, normalised.

#include "data/films/frame_norm.h"
#include "data/films/picture.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace weft {

struct FrameForm {
    std::int64_t channels = 1;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    bool isWhole = false;  ///< of pictures which must all be of that size
    bool isPadded = false; ///< zeros where the picture does not reach; else it must
    /// Pictures are brought to the frame's size first, as they are and no further: by padding all
    /// of one is in the frame, else it covers the frame.
    bool isScaled = false;
    std::int64_t down = 0; ///< of the middle: where the frame's own middle lies in the picture
    std::int64_t right = 0;
    FrameNorm norm = FrameNorm::unit;
};

struct FrameView {
    std::int64_t down = 0; ///< a shift; without padding no further than the picture reaches
    std::int64_t right = 0;
    bool isUpsideDown = false;
    bool isMirrored = false;
};

/// What a picture is brought to before its frame is cut out of it.
[[nodiscard]] PictureForm scaledForm(const PictureForm& picture, const FrameForm& form);

/// Why a picture is not as the frame wants it, and what would mend that: said here alone.
struct Misfit {
    std::string attribute; ///< of its source, that it is about
    std::string problem;   ///< "is 2 x 2 pixels, and does not fill frames of 4 x 4"
    std::string fit;    ///< which mends it, set in place of the other; empty: none does by itself
    std::string remedy; ///< begins with that
};
[[nodiscard]] std::optional<Misfit> misfitOf(const PictureForm& picture, const FrameForm& form);
/// Error{format} that names the file whose picture is not.
void ensureFits(const std::filesystem::path& path, const PictureForm& picture,
                const FrameForm& form);

/// The part of an image that can become visible under any shift.
struct FrameCut {
    Still picture;
    std::int64_t down = 0; ///< of its middle, as FrameForm has it of the whole picture's
    std::int64_t right = 0;
};
/// `jitter`: the furthest shift.
[[nodiscard]] FrameCut cutFrame(const Still& picture, const FrameForm& form, std::int64_t jitter);

/// `x`: [channels, rows, columns]
void placeFrame(const FrameCut& cut, const FrameForm& form, const FrameView& view,
                std::span<float> x);

} // namespace weft
