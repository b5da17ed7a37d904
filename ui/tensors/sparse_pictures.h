// SPDX-License-Identifier: Apache-2.0
#pragma once
// Converts sparse codes and atoms to pictures, one per index of the first dimension, on a common
// scale. Needs no widget; used off the GUI thread.

#include <weft/pictures.h>

#include <QImage>
#include <vector>

namespace weft::ui {

/// Maps numbers to grey values, or to colours if there are three channels.
struct PictureScale {
    double least = 0;
    double most = 1;
    /// True if the scale is symmetric about 0, which is mid grey.
    [[nodiscard]] bool isSigned() const { return least < 0; }
};
/// Returns a scale for all numbers: from 0 if none is negative, else symmetric about 0.
[[nodiscard]] PictureScale scaleOf(const TensorNumbers& tensor);

/// Frames of the picture at each index; still pictures have one frame.
using Reel = std::vector<std::vector<QImage>>; ///< [frame][index]

/// Returns a picture per index of [places, channels, rows, columns]. If the channels consist of
/// `frames` grey or colour frames, there is one picture per frame; other numbers of channels are
/// averaged. Large pictures are subsampled.
[[nodiscard]] Reel picturesOf(const TensorNumbers& tensor, const PictureScale& scale,
                              std::int64_t frames);
/// Returns the pictures of atoms, each on its own scale for all its frames; mid grey is 0.
[[nodiscard]] Reel atomPictures(const TensorNumbers& weight, std::int64_t frames);

/// Returns one picture of all atoms in this order, in an almost square grid, each with its frames
/// from left to right, for export.
[[nodiscard]] Picture mosaicOf(const Reel& reel, const std::vector<std::int64_t>& order);

/// Returns the factor, with two digits, by which the residual is amplified relative to the input
/// without clipping.
[[nodiscard]] double residualAmplification(const PictureScale& input, const PictureScale& residual);

} // namespace weft::ui
