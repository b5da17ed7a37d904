// SPDX-License-Identifier: Apache-2.0
// A program that has the guests: what they use of the engine is used.
#include "example.h"

int main() {
    weft::LayerList layers;
    weft::OpList ops;
    weft::OptimizerList optimizers;
    weft::KernelList kernels;
    weft::example::layers::fill(layers);
    weft::example::ops::fill(ops);
    weft::example::optimizers::fill(optimizers);
    weft::example::reference::fill(kernels);
}
