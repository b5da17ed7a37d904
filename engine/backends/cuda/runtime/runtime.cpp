// SPDX-License-Identifier: Apache-2.0
// Implements seam.h with CUDA's runtime; the only source that includes it.
#include "backends/cuda/kernels/box_copy.h"
#include "backends/cuda/runtime/seam.h"
#include <weft/error.h>

#include <cuda_runtime.h>
#include <fmt/format.h>

#include <bit>
#include <exception>
#include <memory>
#include <mutex>
#include <utility>

namespace weft::cuda::seam {

namespace {

void require(cudaError_t code, const char* what) {
    if (code == cudaSuccess) {
        return;
    }
    (void)cudaGetLastError(); // clears the error, which the next call would return again
    const std::string why = fmt::format("{}: {}", what, cudaGetErrorString(code));
    if (code == cudaErrorMemoryAllocation) {
        throw Error(ErrorCode::memory, {}, why, "choose a smaller batch, or more devices");
    }
    throw Error(ErrorCode::device, {}, why, "see `weft devices`; the device may need a restart");
}

/// Exceptions of host calls, kept until a wait.
class Thrown {
public:
    void set(std::exception_ptr failure) {
        const std::scoped_lock lock(mutex_);
        first_ = first_ ? first_ : std::move(failure);
    }
    void rethrow() {
        std::exception_ptr failure;
        {
            const std::scoped_lock lock(mutex_);
            failure = std::exchange(first_, nullptr);
        }
        if (failure) {
            std::rethrow_exception(failure);
        }
    }

private:
    std::mutex mutex_;
    std::exception_ptr first_;
};

Thrown& thrown() {
    static Thrown all;
    return all;
}

std::string serialOf(const cudaUUID_t& id) {
    std::string serial;
    for (const char byte : id.bytes) {
        serial += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return serial;
}

double attribute(cudaDeviceAttr which, int number) {
    int value = 0;
    require(cudaDeviceGetAttribute(&value, which, number), "reading a device attribute");
    return value;
}

} // namespace

Survey survey() {
    Survey survey;
    int driver = 0;
    if (cudaDriverGetVersion(&driver) != cudaSuccess || driver == 0) {
        (void)cudaGetLastError();
        survey.why = "no driver is loaded";
        return survey;
    }
    const cudaError_t code = cudaGetDeviceCount(&survey.devices);
    if (code != cudaSuccess) {
        (void)cudaGetLastError();
        survey.devices = 0;
        survey.why = fmt::format("the driver supports CUDA {}.{}: {}", driver / 1000,
                                 driver % 1000 / 10, cudaGetErrorString(code));
    }
    return survey;
}

Chip chip(int number) {
    cudaDeviceProp properties{};
    require(cudaGetDeviceProperties(&properties, number), "reading the device properties");
    constexpr double kilo = 1e3;
    const double beats = attribute(cudaDevAttrMemoryClockRate, number) * kilo;
    const double bits = attribute(cudaDevAttrGlobalMemoryBusWidth, number);
    return {.name = properties.name,
            .major = properties.major,
            .minor = properties.minor,
            .memory = static_cast<std::int64_t>(properties.totalGlobalMem),
            .processors = properties.multiProcessorCount,
            .cyclesPerSecond = attribute(cudaDevAttrClockRate, number) * kilo,
            .bytesPerSecond = 2 * beats * bits / 8,
            .serial = serialOf(properties.uuid)};
}

void use(int number) { require(cudaSetDevice(number), "opening the device"); }

std::int64_t freeMemory() {
    std::size_t left = 0;
    std::size_t all = 0;
    require(cudaMemGetInfo(&left, &all), "reading the free memory");
    return static_cast<std::int64_t>(left);
}

void* allocate(std::int64_t bytes) {
    void* memory = nullptr;
    require(cudaMalloc(&memory, static_cast<std::size_t>(bytes)), "allocating device memory");
    require(cudaMemset(memory, 0, static_cast<std::size_t>(bytes)), "allocating device memory");
    // The memset is asynchronous, and non-blocking streams do not wait for the default stream.
    require(cudaStreamSynchronize(nullptr), "allocating device memory");
    return memory;
}

void release(void* memory) noexcept { (void)cudaFree(memory); }

void* allocatePinned(std::int64_t bytes) {
    void* memory = nullptr;
    require(cudaMallocHost(&memory, static_cast<std::size_t>(bytes)),
            "allocating pinned host memory");
    return memory;
}

void releasePinned(void* memory) noexcept { (void)cudaFreeHost(memory); }

StreamHandle makeStream() {
    cudaStream_t stream = nullptr;
    require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "creating a stream");
    return stream;
}

void release(StreamHandle stream) noexcept { (void)cudaStreamDestroy(stream); }

void finish(StreamHandle stream) {
    require(cudaStreamSynchronize(stream), "running work on the device");
    thrown().rethrow();
}

void requireLaunched() { require(cudaGetLastError(), "launching a kernel"); }

void copyIn(StreamHandle stream, void* device, const void* host, std::int64_t bytes) {
    require(cudaMemcpyAsync(device, host, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice,
                            stream),
            "copying to the device");
}

void copyOut(StreamHandle stream, void* host, const void* device, std::int64_t bytes) {
    require(cudaMemcpyAsync(host, device, static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost,
                            stream),
            "copying from the device");
}

void copyBox(StreamHandle stream, const BoxCopy& box, std::size_t elementSize, const void* from,
             void* to) {
    launchBoxCopy(box, elementSize, from, to, stream);
}

void call(StreamHandle stream, std::function<void()> run) {
    auto held = std::make_unique<std::function<void()>>(std::move(run));
    const auto calls = [](void* given) {
        const std::unique_ptr<std::function<void()>> own(
            static_cast<std::function<void()>*>(given));
        try {
            (*own)();
        } catch (...) {
            thrown().set(std::current_exception());
        }
    };
    require(cudaLaunchHostFunc(stream, calls, held.get()), "calling a host function");
    (void)held.release(); // now owned by the callback
}

Event makeEvent() {
    cudaEvent_t event = nullptr;
    require(cudaEventCreate(&event), "creating an event");
    return event;
}

void release(Event event) noexcept { (void)cudaEventDestroy(event); }

void record(Event event, StreamHandle stream) {
    require(cudaEventRecord(event, stream), "running work on the device");
}

void wait(StreamHandle stream, Event event) {
    require(cudaStreamWaitEvent(stream, event, 0), "running work on the device");
}

bool hasEnded(Event event) {
    const cudaError_t code = cudaEventQuery(event);
    if (code == cudaErrorNotReady) {
        (void)cudaGetLastError();
        return false;
    }
    require(code, "running work on the device");
    return true;
}

void finish(Event event) { require(cudaEventSynchronize(event), "running work on the device"); }

std::int64_t between(Event first, Event second) {
    float milliseconds = 0;
    require(cudaEventElapsedTime(&milliseconds, first, second), "reading the clock of the device");
    return static_cast<std::int64_t>(static_cast<double>(milliseconds) * 1e6);
}

Handle exportMemory(void* memory) {
    cudaIpcMemHandle_t given{};
    require(cudaIpcGetMemHandle(&given, memory), "exporting memory to another process");
    return std::bit_cast<Handle>(given);
}

void* openMemory(const Handle& handle) {
    void* memory = nullptr;
    require(cudaIpcOpenMemHandle(&memory, std::bit_cast<cudaIpcMemHandle_t>(handle),
                                 cudaIpcMemLazyEnablePeerAccess),
            "importing memory of another process");
    return memory;
}

void closeMemory(void* taken) noexcept { (void)cudaIpcCloseMemHandle(taken); }

Event makeSharedEvent() {
    cudaEvent_t event = nullptr;
    require(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming),
            "creating an event for other processes");
    return event;
}

Handle exportEvent(Event event) {
    cudaIpcEventHandle_t given{};
    require(cudaIpcGetEventHandle(&given, event), "exporting an event to another process");
    return std::bit_cast<Handle>(given);
}

Event openEvent(const Handle& handle) {
    cudaEvent_t event = nullptr;
    require(cudaIpcOpenEventHandle(&event, std::bit_cast<cudaIpcEventHandle_t>(handle)),
            "importing an event of another process");
    return event;
}

void beginCapture(StreamHandle stream) {
    require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capturing a step");
}

Graph endCapture(StreamHandle stream) {
    cudaGraph_t said = nullptr;
    require(cudaStreamEndCapture(stream, &said), "capturing a step");
    cudaGraphExec_t graph = nullptr;
    const cudaError_t code = cudaGraphInstantiate(&graph, said, 0);
    (void)cudaGraphDestroy(said);
    require(code, "instantiating a captured step");
    return graph;
}

void dropCapture(StreamHandle stream) noexcept {
    cudaGraph_t said = nullptr;
    if (cudaStreamEndCapture(stream, &said) == cudaSuccess) {
        (void)cudaGraphDestroy(said);
    }
    (void)cudaGetLastError();
}

void launch(Graph graph, StreamHandle stream) {
    require(cudaGraphLaunch(graph, stream), "launching a captured step");
}

void release(Graph graph) noexcept { (void)cudaGraphExecDestroy(graph); }

} // namespace weft::cuda::seam
