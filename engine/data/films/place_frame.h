// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts a picture of any size to the numbers of a frame: crops or pads, converts colours,
// shifts, mirrors and normalises.

#include "data/films/frame_norm.h"
#include "data/films/picture.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

namespace weft {

struct FrameForm { ///< how a picture becomes a frame
    std::int64_t channels = 1;
    std::int64_t rows = 0;
    std::int64_t columns = 0;
    bool isWhole = false;  ///< pictures must have exactly this size
    bool isPadded = false; ///< pads with zeros; otherwise the picture must fill the frame
    /// True: scales pictures to the frame first. With padding the picture fits inside the frame,
    /// otherwise it covers the frame.
    bool isScaled = false;    ///< scales pictures to fit or cover the frame first
    bool isStretched = false; ///< scales pictures to exactly the frame
    std::int64_t down = 0;    ///< offset of the frame's centre from the picture's
    std::int64_t right = 0;
    FrameNorm norm = FrameNorm::unit;
    /// What lies behind pixels that are not opaque, and in padding: 0 is black, 1 white. In padding
    /// 0 is the number 0, whatever `norm` does.
    double background = 0; ///< shade behind transparent pixels: 0 is black, 1 white
};

struct FrameView {         ///< shift and flips of one view of a picture
    std::int64_t down = 0; ///< shift; without padding limited to the picture
    std::int64_t right = 0;
    bool isUpsideDown = false;
    bool isMirrored = false;
};

/// Returns the size to which a picture is scaled before cropping.
[[nodiscard]] PictureForm scaledForm(const PictureForm& picture, const FrameForm& form);

/// Why a picture does not suit the frame, and how to fix it.
struct FrameMismatch {
    std::string attribute; ///< attribute of the source that causes it
    std::string problem;   ///< "is 2 x 2 pixels, and does not fill frames of 4 x 4"
    std::string fit;       ///< value of `fit` that fixes it; empty: none does
    std::string remedy;    ///< advice, beginning with that fix
};
[[nodiscard]] std::optional<FrameMismatch> frameMismatch(const PictureForm& picture,
                                                         const FrameForm& form);
/// Throws Error{format} with the file's name if the picture does not suit the frame.
void ensureFits(const std::filesystem::path& path, const PictureForm& picture,
                const FrameForm& form);

/// The part of a picture that can become visible under any shift.
struct FrameCut {
    Still picture;
    std::int64_t down = 0; ///< offset of the frame's centre from the part's
    std::int64_t right = 0;
};
/// Cuts out the part of the picture that views can show. `jitter`: the largest shift of a view.
[[nodiscard]] FrameCut cutFrame(const Still& picture, const FrameForm& form, std::int64_t jitter);

/// Writes one view of the picture to `x` [channels, rows, columns] and normalises it.
void writeView(const FrameCut& cut, const FrameForm& form, const FrameView& view,
               std::span<float> x);

} // namespace weft
