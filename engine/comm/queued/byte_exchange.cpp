// SPDX-License-Identifier: Apache-2.0
#include "comm/queued/byte_exchange.h"

namespace weft {

namespace {

/// Returns a request in which every member gets every member's bytes, concatenated.
CollectiveRequest requestOf(const std::string& name, std::uint32_t number,
                            const std::vector<DeviceId>& members, std::size_t bytes) {
    CollectiveRequest request{.name = name, .kind = "all-gather"};
    request.number = number;
    request.members = members;
    request.dtype = DType::u8;
    request.inputBytes.assign(members.size(), {bytes});
    request.outputBytes.assign(members.size(), {bytes * members.size()});
    const auto size = static_cast<std::int64_t>(bytes);
    for (std::size_t from = 0; from < members.size(); ++from) {
        for (std::size_t to = 0; to < members.size(); ++to) {
            const auto begin = static_cast<std::int64_t>(from) * size;
            request.transfers.push_back(
                {.from = static_cast<int>(from),
                 .to = static_cast<int>(to),
                 .source = {.offset = 0, .count = {size}, .stride = {1}},
                 .target = {.offset = begin, .count = {size}, .stride = {1}}});
        }
    }
    return request;
}

} // namespace

ByteExchange::ByteExchange(Communicator& hosts, const std::string& name, std::uint32_t number,
                           const std::vector<DeviceId>& members, DeviceId me, std::size_t bytes)
    : mine_(bytes),
      all_(bytes * members.size()),
      collective_(hosts.prepare(requestOf(name, number, members, bytes), me)) {}

void ByteExchange::start() {
    const void* given = mine_.data();
    void* taken = all_.data();
    collective_->start({&given, 1}, {&taken, 1}, nullptr);
}

} // namespace weft
