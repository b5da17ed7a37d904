// SPDX-License-Identifier: Apache-2.0
// Implements the seam with the NCCL library, opened at run time. The only source that includes
// NCCL's header.
#include "base/process/run_time_library.h"
#include "base/process/waiting.h"
#include "comm/nccl/seam.h"
#include <weft/error.h>

#include <dlfcn.h>
#include <fmt/format.h>
#include <nccl.h>

#include <bit>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

namespace weft::nccl {

struct Membership {
    ncclComm_t communicator = nullptr;
};

namespace {

/// The oldest version whose communicators are non-blocking in all calls used here.
constexpr int oldest = NCCL_VERSION(2, 18, 1);

struct Library {
    std::string lacks; ///< empty: all functions below were found
    std::string version;
    decltype(&ncclGetVersion) getVersion = nullptr;
    decltype(&ncclGetErrorString) getErrorString = nullptr;
    decltype(&ncclGetUniqueId) getUniqueId = nullptr;
    decltype(&ncclCommInitRankConfig) initRank = nullptr;
    decltype(&ncclCommGetAsyncError) getAsyncError = nullptr;
    decltype(&ncclCommFinalize) finalize = nullptr;
    decltype(&ncclCommDestroy) destroy = nullptr;
    decltype(&ncclCommAbort) abort = nullptr;
    decltype(&ncclGroupStart) groupStart = nullptr;
    decltype(&ncclGroupEnd) groupEnd = nullptr;
    decltype(&ncclAllReduce) allReduce = nullptr;
    decltype(&ncclSend) send = nullptr;
    decltype(&ncclRecv) receive = nullptr;
};

template <class Function>
bool has(void* library, const char* name, Function& function) {
    function = std::bit_cast<Function>(dlsym(library, name));
    return function != nullptr;
}

bool hasAll(void* from, Library& into) {
    return has(from, "ncclGetVersion", into.getVersion) &&
           has(from, "ncclGetErrorString", into.getErrorString) &&
           has(from, "ncclGetUniqueId", into.getUniqueId) &&
           has(from, "ncclCommInitRankConfig", into.initRank) &&
           has(from, "ncclCommGetAsyncError", into.getAsyncError) &&
           has(from, "ncclCommFinalize", into.finalize) &&
           has(from, "ncclCommDestroy", into.destroy) && has(from, "ncclCommAbort", into.abort) &&
           has(from, "ncclGroupStart", into.groupStart) &&
           has(from, "ncclGroupEnd", into.groupEnd) && has(from, "ncclAllReduce", into.allReduce) &&
           has(from, "ncclSend", into.send) && has(from, "ncclRecv", into.receive);
}

Library opened() {
    Library library;
    void* const handle = openLibrary("libnccl.so.2");
    int version = 0;
    if (handle == nullptr) {
        library.lacks = "libnccl.so.2 was not found";
    } else if (!hasAll(handle, library) || library.getVersion(&version) != ncclSuccess ||
               version < oldest) {
        library.lacks = "libnccl.so.2 is too old: version 2.18 or later is needed";
    } else {
        library.version =
            fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
    }
    return library;
}

/// Returns the library, which stays open because its threads may outlive the callers.
const Library& library() {
    static const Library only = opened();
    return only;
}

[[noreturn]] void fail(ncclResult_t code, const char* what) {
    throw Error(ErrorCode::peer, {},
                fmt::format("NCCL, {}: {}", what, library().getErrorString(code)),
                "see why a rank stopped; set training.communicator to host to run without NCCL");
}

/// Throws unless the call has succeeded or is in progress.
void require(ncclResult_t code, const char* what) {
    if (code != ncclSuccess && code != ncclInProgress) {
        fail(code, what);
    }
}

ncclDataType_t typeOf(DType dtype) {
    switch (dtype) {
    case DType::f64: return ncclFloat64;
    case DType::i32: return ncclInt32;
    case DType::i64: return ncclInt64;
    case DType::u8: return ncclUint8;
    case DType::f16: return ncclFloat16;
    case DType::bf16: return ncclBfloat16;
    case DType::f32: break;
    }
    return ncclFloat32;
}

/// Calls `say` within an NCCL group, which is ended even if one of its calls fails.
template <class Say>
void inGroup(const Say& say, const char* what) {
    require(library().groupStart(), what);
    ncclResult_t first = ncclSuccess;
    say([&first](ncclResult_t code) {
        first = first == ncclSuccess || first == ncclInProgress ? code : first;
    });
    const ncclResult_t end = library().groupEnd();
    require(first, what);
    require(end, what);
}

/// Returns false if the communicator fails to finalise, or takes too long.
bool isFinal(ncclComm_t communicator) {
    constexpr std::chrono::seconds limit{5};
    constexpr std::chrono::milliseconds look{1};
    const Deadline deadline(limit);
    ncclResult_t state = library().finalize(communicator);
    while (state == ncclInProgress && !deadline.hasPassed()) {
        std::this_thread::sleep_for(look);
        if (library().getAsyncError(communicator, &state) != ncclSuccess) {
            return false;
        }
    }
    return state == ncclSuccess;
}

} // namespace

namespace seam {

LibraryState findLibrary() { return {library().version, library().lacks}; }

Id makeId() {
    ncclUniqueId id{};
    require(library().getUniqueId(&id), "creating the communicator's id");
    static_assert(sizeof(id) == sizeof(Id));
    return std::bit_cast<Id>(id);
}

Membership* join(const Id& id, int members, int me) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    auto membership = std::make_unique<Membership>();
    require(library().initRank(&membership->communicator, members, std::bit_cast<ncclUniqueId>(id),
                               me, &config),
            "joining the communicator");
    return membership.release();
}

bool isCallDone(Membership* membership) {
    ncclResult_t state = ncclSuccess;
    require(library().getAsyncError(membership->communicator, &state),
            "querying the communicator's state");
    require(state, "asynchronous operation");
    return state == ncclSuccess;
}

void allReduce(Membership* membership, void* stream, std::span<const ReducedTensor> tensors,
               DType dtype, Reduction reduction) {
    const ncclRedOp_t op = reduction == Reduction::max ? ncclMax : ncclSum;
    inGroup(
        [&](const auto& said) {
            for (const ReducedTensor& one : tensors) {
                said(library().allReduce(one.in, one.out, static_cast<std::size_t>(one.elements),
                                         typeOf(dtype), op, membership->communicator,
                                         static_cast<CUstream_st*>(stream)));
            }
        },
        "an all-reduce");
}

void exchange(Membership* membership, void* stream, std::span<const Message> messages) {
    inGroup(
        [&](const auto& said) {
            for (const Message& one : messages) {
                const auto bytes = static_cast<std::size_t>(one.bytes);
                auto* const queue = static_cast<CUstream_st*>(stream);
                said(one.isSent ? library().send(one.address, bytes, ncclUint8, one.peer,
                                                 membership->communicator, queue)
                                : library().receive(one.address, bytes, ncclUint8, one.peer,
                                                    membership->communicator, queue));
            }
        },
        "an exchange");
}

void abort(Membership* membership) noexcept {
    (void)library().abort(membership->communicator);
    delete membership;
}

void leave(Membership* membership) noexcept {
    if (isFinal(membership->communicator)) {
        (void)library().destroy(membership->communicator);
        delete membership;
    } else {
        abort(membership);
    }
}

} // namespace seam

} // namespace weft::nccl
