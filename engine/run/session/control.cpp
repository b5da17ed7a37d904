// SPDX-License-Identifier: Apache-2.0
#include "run/session/control.h"

#include "base/process/threads.h"
#include "base/process/wall_clock.h"
#include "base/text/json.h"
#include "base/text/lenient_json.h"
#include "base/text/text.h"
#include "compile/registry.h"
#include "events/run_directory.h"
#include "lower/expand.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/runs.h>
#include <weft/session.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <optional>
#include <vector>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view commands[] = {"pause", "resume", "step", "stop", "save"};
constexpr std::string_view observeCommand = "observe";
constexpr std::string_view commandBegin = "wish-";
constexpr const char* askedFile = "asked.json"; ///< in the run's folder
constexpr std::size_t largestCommand = std::size_t{64} << 10U;
constexpr std::size_t mostAskers = 1000;

void obey(std::string_view command, RunControls& controls) {
    if (command == "pause") {
        controls.pause = true;
    } else if (command == "resume") {
        controls.pause = false;
        controls.steps = 0;
    } else if (command == "step") {
        controls.pause = true;
        ++controls.steps;
    } else if (command == "stop") {
        controls.stop = true;
    } else if (command == "save") {
        controls.save = true;
    }
}

/// The address of the folder's socket by a path that is short enough, however deep the folder is.
class WakeAddress {
public:
    explicit WakeAddress(const fs::path& folder)
        : folder_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {
        address_.sun_family = AF_UNIX;
        const std::string path = fmt::format("/proc/self/fd/{}/wake", folder_.get());
        std::memcpy(address_.sun_path, path.c_str(), path.size() + 1);
    }
    [[nodiscard]] const sockaddr* get() const {
        return reinterpret_cast<const sockaddr*>(&address_);
    }
    static constexpr socklen_t size = sizeof(sockaddr_un);

private:
    FileHandle folder_;
    sockaddr_un address_{};
};

void requireCommand(std::string_view command, const std::string& layer) {
    const std::string remedy =
        fmt::format("use {}, or {} with a layer", fmt::join(commands, ", "), observeCommand);
    const bool isKnown =
        command == observeCommand || std::ranges::find(commands, command) != std::end(commands);
    if (!isKnown) {
        throw Error(ErrorCode::usage, {},
                    command.empty() ? "a command names what the run should do"
                                    : fmt::format("a run has no command \"{}\"", command),
                    remedy);
    }
    if (command != observeCommand && !layer.empty()) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("the command {} has no layer argument", command), remedy);
    }
}

std::string endOf(const RunSummary& run) {
    switch (run.state) {
    case RunState::done: return fmt::format("the run finished at step {}", run.lastStep);
    case RunState::stopped: return fmt::format("the run was stopped at step {}", run.lastStep);
    case RunState::failed: return "the run failed: " + run.cause;
    default:
        return run.cause.empty() ? "the run ended without reporting why"
                                 : "the run ended without reporting why: " + run.cause;
    }
}

void requireLiving(const fs::path& run) {
    if (readRunLock(run).isHeld && fs::is_directory(run / "control")) {
        return;
    }
    const std::optional<RunSummary> summary = summaryOf(run);
    if (!summary) {
        throw Error(ErrorCode::file, Where{.file = run.string()}, "is not a run directory",
                    "name a run that weft runs lists");
    }
    if (summary->state == RunState::living) {
        throw Error(ErrorCode::file, Where{.file = run.string()},
                    "the run does not accept commands now: it is starting or ending",
                    "repeat the command in a moment");
    }
    throw Error(ErrorCode::file, Where{.file = run.string()},
                "the run does not accept commands: " + endOf(*summary),
                "weft resume continues from its last checkpoint");
}

/// Requires that the layer exists in the run's network with groups and repeats expanded.
void requireLayer(const fs::path& run, const std::string& layer) {
    const std::vector<LayerKindInfo> kinds = makeRegistry()->kinds;
    const ExpandedDesign network = expand(loadDesign(run / "design.weft", kinds).design, kinds);
    std::vector<std::string_view> names;
    names.reserve(network.layers.size());
    for (const ExpandedLayer& one : network.layers) {
        names.emplace_back(one.name);
    }
    if (std::ranges::find(names, layer) == names.end()) {
        const std::string all = fmt::format("{}", fmt::join(names, ", "));
        throw Error(ErrorCode::usage, Where{.file = run.string()},
                    layer.empty() ? "the command observe needs a layer"
                                  : fmt::format("the run has no layer \"{}\"", layer),
                    "name one of " + elided(all));
    }
}

FileHandle openSocket() {
    return FileHandle(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

FileHandle listenIn(const fs::path& folder) {
    FileHandle socket = openSocket();
    const WakeAddress address(folder);
    if (!socket.isOpen() || ::bind(socket.get(), address.get(), WakeAddress::size) != 0) {
        return {};
    }
    return socket;
}

std::map<std::string, std::uint64_t> askedIn(const fs::path& run) {
    std::map<std::string, std::uint64_t> asked;
    try {
        const Json said = objectIn(readFile(run / askedFile, largestCommand));
        for (const auto& [asker, number] : said.items()) {
            asked[asker] = number.is_number() ? number.get<std::uint64_t>() : 0;
        }
    } catch (const std::exception&) {
        return asked; // no commands from other hosts so far
    }
    return asked;
}

} // namespace

RunMailbox::RunMailbox(fs::path folder, RunControls& controls, std::function<void()> everySecond)
    : folder_(std::move(folder)),
      lastNumbers_(askedIn(folder_.parent_path())),
      controls_(controls),
      everySecond_(std::move(everySecond)),
      socket_(listenIn(folder_)),
      ended_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)),
      thread_(startThread("control", [this](const std::stop_token& stop) { work(stop); })) {}

RunMailbox::~RunMailbox() {
    thread_.request_stop();
    const std::uint64_t one = 1;
    // If the write fails, the thread still notices the end within a second.
    [[maybe_unused]] const auto written = ::write(ended_.get(), &one, sizeof(one));
    thread_.join();
    ::unlink((folder_ / "wake").c_str());
}

void RunMailbox::work(const std::stop_token& stop) {
    constexpr int second = 1000;
    std::array<pollfd, 2> awaited{
        {{.fd = ended_.get(), .events = POLLIN, .revents = 0},
         {.fd = socket_.isOpen() ? socket_.get() : -1, .events = POLLIN, .revents = 0}}};
    auto beat = std::chrono::steady_clock::time_point{};
    while (!stop.stop_requested()) {
        takeCommands();
        if (std::chrono::steady_clock::now() - beat >= std::chrono::seconds(1)) {
            beat = std::chrono::steady_clock::now();
            everySecond_();
        }
        ::poll(awaited.data(), awaited.size(), second);
        for (char byte = 0; socket_.isOpen() && ::recv(socket_.get(), &byte, 1, 0) >= 0;) {
            // Takes all wake-up bytes: the mailbox is read once for all of them.
        }
    }
}

void RunMailbox::takeCommand(const fs::path& file) {
    Json said;
    try {
        said = objectIn(readFile(file, largestCommand));
    } catch (const Error&) {
        said = Json::object(); // withdrawn or invalid: removed without effect
    }
    std::error_code gone;
    const std::string command = textAt(said, "wish");
    const std::string layer = textAt(said, "layer");
    const bool isOne = command == observeCommand
                           ? !layer.empty()
                           : std::ranges::find(commands, command) != std::end(commands);
    if (!fs::remove(file, gone) || !isOne) {
        return;
    }
    const std::string asker = textAt(said, "asker").substr(0, 200);
    const auto number = static_cast<std::uint64_t>(numberAt(said, "number", 0));
    if (!asker.empty()) {
        if (lastNumbers_.contains(asker) && number <= lastNumbers_[asker]) {
            return; // the command arrived twice and was executed
        }
        if (lastNumbers_.size() >= mostAskers) {
            lastNumbers_.erase(lastNumbers_.begin());
        }
        lastNumbers_[asker] = number;
        try {
            writeFileWhole(folder_.parent_path() / askedFile, jsonText(Json(lastNumbers_)));
        } catch (const Error&) {
            // If the disk is full, the number is only kept in memory for this attempt.
        }
    }
    controls_.received.add(
        fmt::format("told to {}{}{}", command, layer.empty() ? "" : " " + layer,
                    asker.empty() ? "" : fmt::format(" by {} ({})", asker, number)));
    if (command == observeCommand) {
        controls_.observe.add(layer);
    } else {
        obey(command, controls_);
    }
}

void RunMailbox::takeCommands() {
    std::error_code error;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_, error)) {
        // Leave other names alone: commands are written under another name and then renamed.
        if (entry.path().filename().string().starts_with(commandBegin)) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files); // the order in which they were sent
    for (const fs::path& file : files) {
        takeCommand(file);
    }
}

void tellRun(const fs::path& run, std::string_view command, const std::string& layer,
             const CommandSender& asker) {
    requireCommand(command, layer);
    requireLiving(run);
    const fs::path folder = run / "control";
    if (command == observeCommand) {
        requireLayer(run, layer);
    }
    static std::atomic<int> count = 0;
    writeFileWhole(
        folder / fmt::format("{}{:020}-{:010}-{:06}", commandBegin, unixNanoseconds(), ::getpid(),
                             count++ % 1'000'000),
        jsonText(Json{
            {"wish", command}, {"layer", layer}, {"asker", asker.name}, {"number", asker.number}}));
    const FileHandle socket = openSocket();
    const WakeAddress address(folder);
    // A run on another host does not receive this and polls within a second.
    ::sendto(socket.get(), "!", 1, 0, address.get(), WakeAddress::size);
}

} // namespace weft
