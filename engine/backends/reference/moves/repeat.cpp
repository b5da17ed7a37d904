// SPDX-License-Identifier: Apache-2.0
// stack: y[n, ..] = x_n[..]; round: y[..] = x[position, ..], zeros if another part holds that
// position; unround: zeros except y[position, ..] = x
#include "backends/reference/reference_kernel.h"

#include <cstring>

namespace weft::reference {

namespace {

std::size_t bytesOf(const TensorPart& part) {
    return static_cast<std::size_t>(part.elements()) * byteSize(part.dtype);
}

} // namespace

void repeat(KernelList& list) {
    list.add({"stack", "reference",
              [](const KernelRequest& request) {
                  const std::size_t one = bytesOf(request.inputs[0]);
                  return plainChoice(request, [one](const KernelArguments& arguments) {
                      auto* to = static_cast<std::byte*>(arguments.outputs[0]);
                      for (std::size_t k = 0; k < arguments.inputs.size(); ++k) {
                          std::memcpy(to + k * one, arguments.inputs[k], one);
                      }
                  });
              },
              anyType});
    list.add({"round", "reference",
              [](const KernelRequest& request) {
                  const TensorPart& x = request.inputs[0];
                  const std::size_t one = bytesOf(request.outputs[0]);
                  const std::int64_t local = request.attributes.integer("position") - x.begin.at(0);
                  const bool isHeld = local >= 0 && local < x.shape.at(0);
                  return plainChoice(
                      request, [one, local, isHeld](const KernelArguments& arguments) {
                          if (!isHeld) {
                              std::memset(arguments.outputs[0], 0, one);
                              return;
                          }
                          std::memcpy(arguments.outputs[0],
                                      static_cast<const std::byte*>(arguments.inputs[0]) +
                                          static_cast<std::size_t>(local) * one,
                                      one);
                      });
              },
              anyType});
    list.add({"unround", "reference",
              [](const KernelRequest& request) {
                  const std::size_t one = bytesOf(request.inputs[0]);
                  const std::size_t all = bytesOf(request.outputs[0]);
                  const auto skip =
                      static_cast<std::size_t>(request.attributes.integer("position")) * one;
                  return plainChoice(request, [one, all, skip](const KernelArguments& arguments) {
                      auto* to = static_cast<std::byte*>(arguments.outputs[0]);
                      std::memset(to, 0, all);
                      std::memcpy(to + skip, arguments.inputs[0], one);
                  });
              },
              anyType});
}

} // namespace weft::reference
