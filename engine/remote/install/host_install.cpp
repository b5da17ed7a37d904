// SPDX-License-Identifier: Apache-2.0
// Installs an engine on a host by one shell line, which reports what it finds, waits for a word,
// and then reads the files from its input.
#include "base/process/this_program.h"
#include "base/process/wall_clock.h"
#include "base/text/text.h"
#include "remote/install/engine_files.h"
#include "remote/install/install_script.h"
#include "remote/install/source_files.h"
#include "remote/install/tar_stream.h"
#include "remote/line/line_command.h"
#include "remote/line/remote_shell.h"
#include "remote/query_program.h"
#include <weft/error.h>
#include <weft/hosts.h>
#include <weft/launch.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace weft {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

/// Longest time without output or accepted input.
constexpr seconds longestStall{30};
constexpr std::size_t mostOnItsWay = std::size_t{1} << 20U;

/// Returns "Linux x86_64".
std::string systemHere() {
    utsname facts{};
    ::uname(&facts);
    return fmt::format("{} {}", facts.sysname, facts.machine);
}

/// A copy of the program without debug information, if strip is available. The copy is removed with
/// this object.
class Stripped {
public:
    explicit Stripped(fs::path& program) {
        std::string name = (fs::temp_directory_path() / "weft-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            return;
        }
        folder_ = name;
        const fs::path made = folder_ / "weft";
        if (answerOf({.words = {"strip", "-o", made.string(), program.string()},
                      .limit = std::chrono::minutes(1)})
                .isFine()) {
            program = made;
        }
    }
    ~Stripped() {
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
    }
    Stripped(const Stripped&) = delete;
    Stripped& operator=(const Stripped&) = delete;

private:
    fs::path folder_;
};

/// Returns the script that starts the installed program.
std::string startText() {
    return fmt::format("#!/bin/sh\n"
                       "here=$(dirname \"$(readlink -f \"$0\")\")\n"
                       "exec \"$here/{}\" --library-path \"$here\" \"$here/{}\" \"$@\"\n",
                       carriedLoader, carriedProgram);
}

class Installing {
public:
    using Progress = std::function<bool(const InstallProgress&)>;

    Installing(const InstallRequest& request, const Progress& progress)
        : request_(request),
          progress_(progress),
          shell_(request.host, request.isFromSource ? buildScript() : carryScript(),
                 request.mayAsk) {}

    void carry(std::vector<EngineFile> files);
    void build(const std::vector<SourceFile>& sources);

private:
    void lookThere();
    void refuseWhatLacks() const;
    template <class File>
    void begin(const std::vector<File>& files, Bytes more);
    [[nodiscard]] TarStream::HasGone counting();
    void send(std::string_view bytes);
    void finish();
    void turn();
    /// Returns true if any line came from the script.
    bool takeLines();
    void report();
    [[noreturn]] void refuse(ErrorCode code, std::string problem, std::string remedy) const;
    [[noreturn]] void throwEnded();

    const InstallRequest& request_;
    const Progress& progress_;
    RemoteShell shell_;
    InstallProgress now_{.stage = "checking the host"};
    Clock::time_point moved_ = Clock::now();
    Clock::time_point reported_ = {};
    bool hasSaid_ = false; ///< the script has reported something
    bool isBuilding_ = false;
    InstallFindings found_;
};

void Installing::refuse(ErrorCode code, std::string problem, std::string remedy) const {
    Where where;
    where.host = request_.host.name;
    throw Error(code, std::move(where), std::move(problem), std::move(remedy));
}

void Installing::throwEnded() {
    const std::string said = shell_.lastErrorLine();
    const std::string why =
        said.empty() ? fmt::format("\"{}\" ended with {}", request_.host.via, shell_.code()) : said;
    if (!hasSaid_) {
        refuse(ErrorCode::peer, why, "check that its command runs a shell on the host");
    }
    refuseWhatLacks();
    if (!found_.log.empty()) {
        now_ = {.stage = "failed",
                .log = printable(fmt::format("{}", fmt::join(found_.lastOfLog, "\n")), true)};
        reported_ = {};
        report();
        refuse(ErrorCode::peer, "building the engine failed: " + why,
               fmt::format("see the output in {} on the host, correct the cause and install again: "
                           "finished parts are kept",
                           found_.log));
    }
    refuse(ErrorCode::peer, "the engine was not installed: " + why,
           "correct the cause and install again; an earlier installation is unchanged");
}

void Installing::report() {
    const Clock::time_point now = Clock::now();
    if (progress_ && now - reported_ >= milliseconds(100)) {
        reported_ = now;
        if (!progress_(now_)) {
            throw Error(ErrorCode::stopped, {}, "installing was stopped",
                        "an earlier installation is unchanged");
        }
    }
}

bool Installing::takeLines() {
    bool hasReported = false;
    while (const auto line = shell_.nextLine()) {
        hasReported = take(*line, found_) || hasReported;
    }
    hasSaid_ = hasSaid_ || hasReported;
    if (!found_.step.empty()) {
        now_ = {.stage = elided(printable(std::exchange(found_.step, {})))};
    }
    return hasReported;
}

void Installing::turn() {
    const bool hasMoved = shell_.transfer(milliseconds(100));
    const bool hasReported = takeLines();
    report();
    const Clock::time_point now = Clock::now();
    const bool goesOn = isBuilding_ || hasReported || (hasMoved && found_.isReady);
    moved_ = goesOn ? now : moved_;
    const seconds limit = request_.mayAsk && !hasSaid_ ? patienceWithPeople : longestStall;
    if (now - moved_ > limit) {
        refuse(ErrorCode::timeout, fmt::format("no output for {} s", limit.count()),
               "try the connection in a terminal: weft host check " + request_.host.name);
    }
}

void Installing::refuseWhatLacks() const {
    if (!found_.lacks.empty()) {
        refuse(ErrorCode::device, fmt::format("lacks {}", fmt::join(found_.lacks, ", ")),
               fmt::format(
                   "have an administrator install these Debian packages, or their equivalents{}",
                   request_.isFromSource && found_.log.empty()
                       ? "; libraries are checked after that"
                       : ""));
    }
}

void Installing::lookThere() {
    while (!found_.isReady) {
        if (shell_.hasEnded()) {
            throwEnded();
        }
        turn();
    }
    refuseWhatLacks();
    const std::string here = systemHere();
    if (!request_.isFromSource && found_.system != here) {
        refuse(ErrorCode::device,
               fmt::format("the host is {}, but the engine of this machine is for {}",
                           found_.system, here),
               fmt::format("build the engine on the host: weft host install {} --from-source",
                           request_.host.name));
    }
    if (found_.isForeign) {
        refuse(ErrorCode::device,
               fmt::format("{}/bin/weft exists, but weft host install did not create it",
                           found_.folder),
               "move it away, or use it: weft host add " + request_.host.name +
                   " --program '~/weft/bin/weft'");
    }
}

template <class File>
void Installing::begin(const std::vector<File>& files, Bytes more) {
    Bytes all;
    for (const File& file : files) {
        std::error_code unknown;
        const std::uintmax_t size = fs::file_size(file.path, unknown);
        all.count += unknown ? 0 : static_cast<std::int64_t>(size);
    }
    if (const Bytes needed = all + more; found_.free >= 0 && found_.free < needed.count) {
        refuse(ErrorCode::file,
               fmt::format("the host has {} free for {}, but the engine needs {}",
                           toString(Bytes{found_.free}), found_.folder, toString(needed)),
               "free space on the host");
    }
    now_ = {.stage = "sending", .all = all};
    send("go\n");
}

TarStream::HasGone Installing::counting() {
    return [this](std::size_t bytes) { now_.done.count += static_cast<std::int64_t>(bytes); };
}

void Installing::send(std::string_view bytes) {
    shell_.queueInput(bytes);
    while (shell_.unsent() > mostOnItsWay && !shell_.hasEnded()) {
        turn();
    }
    if (shell_.hasEnded()) {
        throwEnded();
    }
    report();
}

void Installing::finish() {
    shell_.endInput();
    while (!shell_.hasEnded()) {
        turn();
    }
    (void)takeLines();
    if (shell_.code() != 0 || found_.version.empty()) {
        throwEnded();
    }
}

void Installing::carry(std::vector<EngineFile> files) {
    lookThere();
    const Stripped without(files.front().path);
    begin(files, {});
    TarStream tar([&](std::string_view bytes) { send(bytes); });
    // The files get the present time, so that cleaners of old files spare them.
    const std::int64_t now = unixSeconds();
    for (const EngineFile& file : files) {
        tar.addFile({file.name, true, now}, file.path, counting());
    }
    // The start script comes last, so that an incomplete engine cannot be started.
    tar.addText({std::string(startScript), true, now}, startText());
    tar.finish();
    now_ = {.stage = "starting the engine on the host"};
    finish();
}

void Installing::build(const std::vector<SourceFile>& sources) {
    constexpr Bytes built{1'000'000'000};
    lookThere();
    begin(sources, built);
    TarStream tar([&](std::string_view bytes) { send(bytes); });
    for (const SourceFile& file : sources) {
        tar.addFile({file.name, file.isExecutable, file.changed}, file.path, counting());
    }
    tar.finish();
    now_ = {.stage = "building on the host"};
    isBuilding_ = true;
    finish();
}

} // namespace

Host installOn(const InstallRequest& request,
               const std::function<bool(const InstallProgress&)>& progress) {
    if (request.isFromSource) {
        const fs::path program = request.program.empty() ? thisProgram() : request.program;
        Installing(request, progress).build(sourceFiles(program));
    } else {
        std::vector<EngineFile> files = engineFiles(request.program);
        Installing(request, progress).carry(std::move(files));
    }
    // Keeps settings of the host that were changed meanwhile.
    const std::vector<Host> hosts = knownHosts();
    const auto known = std::ranges::find(hosts, request.host.name, &Host::name);
    Host host = known == hosts.end() ? request.host : *known;
    host.program = installedProgram;
    keepHost(host);
    return host;
}

} // namespace weft
