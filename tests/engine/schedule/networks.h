// SPDX-License-Identifier: Apache-2.0
#pragma once
// Networks whose schedules these tests look at, with backward and update.

#include "support/small_network.h"

#include <memory>
#include <string>

namespace weft::test {

struct Trained;

/// Two convolutions of 32 channels with bias and relu, pooled to a dense layer and a loss.
[[nodiscard]] std::unique_ptr<SmallNetwork> convolutionNetwork(std::int64_t batch = 8);

/// A convolution and a product whose results are added to what they were made from.
[[nodiscard]] std::unique_ptr<SmallNetwork> residualNetwork();

/// Three branches of two dense layers each, added up.
[[nodiscard]] std::unique_ptr<SmallNetwork> branchedNetwork(const std::string& optimizer = "sgd");

/// Three steps of the network on so many devices of a backend, threads between them, all layers
/// with these words.
[[nodiscard]] Trained trainOn(const std::string& backend, const SmallNetwork& net,
                              std::size_t devices = 1, const std::string& words = "data");

} // namespace weft::test
