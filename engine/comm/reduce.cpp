// SPDX-License-Identifier: Apache-2.0
#include "comm/reduce.h"

#include <weft/error.h>

#include <algorithm>
#include <cstring>

namespace weft {

namespace {

template <class T>
void fold(Reduction reduction, const T* in, T* out, std::int64_t count) {
    if (reduction == Reduction::max) {
        for (std::int64_t k = 0; k < count; ++k) {
            out[k] = std::max(out[k], in[k]);
        }
    } else {
        for (std::int64_t k = 0; k < count; ++k) {
            out[k] += in[k];
        }
    }
}

template <class T>
void reduceAs(Reduction reduction, std::span<const void* const> in, T* out, std::int64_t begin,
              std::int64_t end) {
    // In blocks that stay in the first-level cache, so that memory is read once per member and
    // written once.
    constexpr std::int64_t block = 2048;
    T sum[block];
    for (std::int64_t at = begin; at < end; at += block) {
        const std::int64_t count = std::min(block, end - at);
        std::copy_n(static_cast<const T*>(in[0]) + at, count, sum);
        for (std::size_t member = 1; member < in.size(); ++member) {
            fold(reduction, static_cast<const T*>(in[member]) + at, sum, count);
        }
        std::copy_n(sum, count, out + at);
    }
}

template <class T>
void moveAs(Reduction reduction, const T* in, const Piece& source, T* out, const Piece& target) {
    const std::size_t rank = source.count.size();
    if (rank == 0) {
        reduction == Reduction::none ? void(out[target.offset] = in[source.offset])
                                     : fold(reduction, in + source.offset, out + target.offset, 1);
        return;
    }
    // The innermost dims that are contiguous on both sides form one run.
    std::int64_t run = 1;
    std::size_t outer = rank;
    while (outer > 0 && source.stride[outer - 1] == run && target.stride[outer - 1] == run) {
        run *= source.count[outer - 1];
        --outer;
    }
    std::int64_t rows = 1;
    for (std::size_t k = 0; k < outer; ++k) {
        rows *= source.count[k];
    }
    // Pieces have few dims; a fixed-size counter avoids allocations in the step.
    constexpr std::size_t mostDims = 8;
    ensure(outer <= mostDims, "a piece has at most eight dims");
    std::int64_t index[mostDims] = {};
    for (std::int64_t row = 0; row < rows; ++row) {
        std::int64_t from = source.offset;
        std::int64_t to = target.offset;
        for (std::size_t k = 0; k < outer; ++k) {
            from += index[k] * source.stride[k];
            to += index[k] * target.stride[k];
        }
        if (reduction == Reduction::none) {
            std::copy_n(in + from, run, out + to);
        } else {
            fold(reduction, in + from, out + to, run);
        }
        for (std::size_t k = outer; k-- > 0;) {
            if (++index[k] < source.count[k]) {
                break;
            }
            index[k] = 0;
        }
    }
}

} // namespace

void reduceInOrder(DType dtype, Reduction reduction, std::span<const void* const> in, void* out,
                   std::int64_t begin, std::int64_t end) {
    switch (dtype) {
    case DType::f32: reduceAs(reduction, in, static_cast<float*>(out), begin, end); return;
    case DType::f64: reduceAs(reduction, in, static_cast<double*>(out), begin, end); return;
    case DType::i32: reduceAs(reduction, in, static_cast<std::int32_t*>(out), begin, end); return;
    case DType::i64: reduceAs(reduction, in, static_cast<std::int64_t*>(out), begin, end); return;
    default: ensure(false, "a reduction has an element type that can be added");
    }
}

void movePiece(DType dtype, Reduction reduction, bool first, const void* in, const Piece& source,
               void* out, const Piece& target) {
    const Reduction how = first ? Reduction::none : reduction;
    switch (dtype) {
    case DType::f32:
        moveAs(how, static_cast<const float*>(in), source, static_cast<float*>(out), target);
        return;
    case DType::f64:
        moveAs(how, static_cast<const double*>(in), source, static_cast<double*>(out), target);
        return;
    case DType::i32:
        moveAs(how, static_cast<const std::int32_t*>(in), source, static_cast<std::int32_t*>(out),
               target);
        return;
    case DType::i64:
        moveAs(how, static_cast<const std::int64_t*>(in), source, static_cast<std::int64_t*>(out),
               target);
        return;
    case DType::u8:
        moveAs(how, static_cast<const std::uint8_t*>(in), source, static_cast<std::uint8_t*>(out),
               target);
        return;
    case DType::bf16:
    case DType::f16:
        ensure(how == Reduction::none, "a reduction has an element type that can be added");
        moveAs(how, static_cast<const std::uint16_t*>(in), source, static_cast<std::uint16_t*>(out),
               target);
        return;
    }
}

std::pair<std::int64_t, std::int64_t> shareOf(std::int64_t elements, int part, int parts) {
    constexpr std::int64_t line = 16; // four-byte elements of a cache line
    const std::int64_t lines = (elements + line - 1) / line;
    const auto edge = [&](int p) { return std::min(elements, lines * p / parts * line); };
    return {edge(part), edge(part + 1)};
}

bool coversOutputs(const CollectiveRequest& request, int member) {
    const auto& bytes = request.outputBytes[static_cast<std::size_t>(member)];
    std::vector<std::int64_t> written(bytes.size(), 0);
    for (const Transfer& transfer : request.transfers) {
        if (transfer.to == member && (transfer.reduction == Reduction::none || transfer.first)) {
            written[transfer.tensor] += transfer.target.elements();
        }
    }
    for (std::size_t k = 0; k < bytes.size(); ++k) {
        if (written[k] * static_cast<std::int64_t>(byteSize(request.dtype)) !=
            static_cast<std::int64_t>(bytes[k])) {
            return false;
        }
    }
    return true;
}

} // namespace weft
