// SPDX-License-Identifier: Apache-2.0
#pragma once
// Sparse codes and atoms as pictures: each place of a first dim a picture of its own, on one scale.
// Needs no widget; made off the GUI thread.

#include <weft/pictures.h>

#include <QImage>
#include <vector>

namespace weft::ui {

/// How numbers become grey, or colour where there are three channels.
struct PictureScale {
    double least = 0;
    double most = 1;
    /// Mid grey is 0, and both ends are as far from it.
    [[nodiscard]] bool isSigned() const { return least < 0; }
};
/// That holds all numbers: from 0 on where none is below, else as far below 0 as above it.
[[nodiscard]] PictureScale scaleOf(const TensorNumbers& tensor);

/// A picture of each place, frame by frame; of what does not play there is one frame.
using Reel = std::vector<std::vector<QImage>>;

/// [places, channels, rows, columns] as a picture each. Where the channels are those of so many
/// frames, grey or in colour, each frame has its own; else channels other than one and three are
/// shown as their mean. Large pictures keep every so-manieth pixel.
[[nodiscard]] Reel picturesOf(const TensorNumbers& tensor, const PictureScale& scale,
                              std::int64_t frames);
/// Atoms, each on a scale of its own, which all its frames share. Mid grey is 0.
[[nodiscard]] Reel atomPictures(const TensorNumbers& weight, std::int64_t frames);

/// All in that order, in rows as near to a square as they go, each with its frames from left to
/// right: as they are seen, for a file.
[[nodiscard]] Picture mosaicOf(const Reel& reel, const std::vector<std::int64_t>& order);

/// How many times stronger the residual is drawn than the input, in two digits; it is never cut.
[[nodiscard]] double strengthOf(const PictureScale& input, const PictureScale& residual);

} // namespace weft::ui
