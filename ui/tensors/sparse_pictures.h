// SPDX-License-Identifier: GPL-3.0-or-later
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

/// [places, channels, rows, columns] as a picture each. Channels other than one and three are shown
/// as their mean; large pictures keep every so-manieth pixel.
[[nodiscard]] std::vector<QImage> picturesOf(const TensorNumbers& tensor,
                                             const PictureScale& scale);
/// Atoms, each on a scale of its own. Mid grey is 0.
[[nodiscard]] std::vector<QImage> atomPictures(const TensorNumbers& weight);

/// How many times stronger the residual is drawn than the input, in two digits; it is never cut.
[[nodiscard]] double gainOf(const PictureScale& input, const PictureScale& residual);

} // namespace weft::ui
