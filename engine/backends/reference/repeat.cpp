// SPDX-License-Identifier: Apache-2.0
// stack: y[n, ..] = x_n[..]; round: y[..] = x[position, ..]; unround: zeros but y[position, ..] = x
#include "backends/reference/reference_kernel.h"

#include <cstring>

namespace weft::reference {

namespace {

std::size_t bytesOf(const TensorPart& part) {
    return static_cast<std::size_t>(part.elements()) * byteSize(part.dtype);
}

} // namespace

void repeat(KernelList& list) {
    list.add({"stack", "reference", [](const KernelRequest& request) {
                  const std::size_t one = bytesOf(request.inputs[0]);
                  return plainPreparation(request, makeKernel([one](const KernelArguments& at) {
                                              auto* to = static_cast<std::byte*>(at.outputs[0]);
                                              for (std::size_t k = 0; k < at.inputs.size(); ++k) {
                                                  std::memcpy(to + k * one, at.inputs[k], one);
                                              }
                                          }));
              }});
    list.add({"round", "reference", [](const KernelRequest& request) {
                  const std::size_t one = bytesOf(request.outputs[0]);
                  const auto skip =
                      static_cast<std::size_t>(request.attributes.integer("position")) * one;
                  return plainPreparation(
                      request, makeKernel([one, skip](const KernelArguments& at) {
                          std::memcpy(at.outputs[0],
                                      static_cast<const std::byte*>(at.inputs[0]) + skip, one);
                      }));
              }});
    list.add({"unround", "reference", [](const KernelRequest& request) {
                  const std::size_t one = bytesOf(request.inputs[0]);
                  const std::size_t all = bytesOf(request.outputs[0]);
                  const auto skip =
                      static_cast<std::size_t>(request.attributes.integer("position")) * one;
                  return plainPreparation(request,
                                          makeKernel([one, all, skip](const KernelArguments& at) {
                                              auto* to = static_cast<std::byte*>(at.outputs[0]);
                                              std::memset(to, 0, all);
                                              std::memcpy(to + skip, at.inputs[0], one);
                                          }));
              }});
}

} // namespace weft::reference
