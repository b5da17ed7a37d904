// SPDX-License-Identifier: Apache-2.0
#pragma once
// Bytes packed as gzip does, for tests of packed files.

#include <zlib.h>

#include <stdexcept>
#include <string>

namespace weft::test {

inline std::string packed(const std::string& bytes) {
    z_stream state = {};
    if (deflateInit2(&state, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
        throw std::runtime_error("deflateInit2");
    }
    std::string result(deflateBound(&state, bytes.size()) + 32, '\0');
    state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    state.avail_in = static_cast<uInt>(bytes.size());
    state.next_out = reinterpret_cast<Bytef*>(result.data());
    state.avail_out = static_cast<uInt>(result.size());
    const int answer = deflate(&state, Z_FINISH);
    result.resize(state.total_out);
    deflateEnd(&state);
    if (answer != Z_STREAM_END) {
        throw std::runtime_error("deflate");
    }
    return result;
}

} // namespace weft::test
