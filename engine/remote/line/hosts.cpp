// SPDX-License-Identifier: Apache-2.0
#include "base/files/files.h"
#include "base/files/lock_file.h"
#include "base/process/environment.h"
#include "base/text/lenient_json.h"
#include "base/text/names_of.h"
#include "exchange/quoting.h"
#include "remote/line/line_command.h"
#include "remote/plain_names.h"
#include <weft/error.h>
#include <weft/hosts.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <functional>
#include <utility>

namespace weft {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t largestHostFile = std::size_t{1} << 20U;
constexpr std::array<std::string_view, 3> startNames{"here", "mpirun", "slurm"};
constexpr std::int64_t mostMinutes = std::int64_t{366} * 24 * 60;

/// Returns Weft's folder in the variable's folder or else in the home folder; empty if neither is
/// set.
fs::path userFolder(const char* variable, const char* inHome) {
    if (const fs::path folder = fromEnvironment(variable); folder.is_absolute()) {
        return folder / "weft";
    }
    const fs::path home = fromEnvironment("HOME");
    return home.is_absolute() ? home / inHome / "weft" : fs::path();
}

fs::path neededUserFolder(const char* variable, const char* inHome) {
    fs::path folder = userFolder(variable, inHome);
    if (folder.empty()) {
        throw Error(ErrorCode::usage, {}, "no home folder was found",
                    fmt::format("set the variable HOME or {} to a folder", variable));
    }
    return folder;
}

[[noreturn]] void refuseHost(std::string problem, std::string remedy) {
    throw Error(ErrorCode::usage, {}, std::move(problem), std::move(remedy));
}

/// True if the text may be part of a shell line.
bool isOneLine(std::string_view text) {
    return !text.empty() && std::ranges::none_of(text, [](char packet) {
        return static_cast<unsigned char>(packet) < 0x20 || packet == 0x7f;
    });
}

void requireSound(const Host& host) {
    if (!isHostName(host.name)) {
        refuseHost(fmt::format("\"{}\" cannot be the name of a host", host.name),
                   "use letters, digits, '.', '_' and '-', and begin with a letter or digit");
    }
    static_cast<void>(viaWords(host));
    for (const auto& [what, text] :
         {std::pair{"a folder for runs", &host.folder}, std::pair{"the program", &host.program}}) {
        if (!isOneLine(*text) || text->starts_with('-')) {
            refuseHost(fmt::format("{}: \"{}\" cannot be {} on the host", host.name, *text, what),
                       "use one line that does not begin with '-'");
        }
    }
    if (host.minutes < 1 || host.minutes > mostMinutes) {
        refuseHost(fmt::format("{}: a job cannot have {} minutes", host.name, host.minutes),
                   fmt::format("set --minutes to 1 to {}", mostMinutes));
    }
    if (host.bytesPerSecond < 0) {
        refuseHost(fmt::format("{}: {} bytes per second is not a valid bandwidth limit", host.name,
                               host.bytesPerSecond),
                   "set the limit to 1 or more, or 0 for no limit");
    }
    if ((host.start == JobStart::mpirun) == host.machines.empty()) {
        refuseHost(fmt::format("{}: {}", host.name,
                               host.machines.empty()
                                   ? "jobs that mpirun starts, but no machines"
                                   : "machines, but jobs that mpirun does not start"),
                   "use both options: --start mpirun --machines a,b");
    }
    for (const std::string& machine : host.machines) {
        static_cast<void>(directiveValue("host", machine));
    }
    for (const auto& [option, value] :
         {std::pair{"partition", &host.partition}, std::pair{"account", &host.account}}) {
        if (!value->empty()) {
            static_cast<void>(directiveValue(option, *value));
        }
    }
}

Json hostAsJson(const Host& host) {
    return {{"name", host.name},           {"via", host.via},
            {"folder", host.folder},       {"program", host.program},
            {"start", nameOf(host.start)}, {"machines", host.machines},
            {"partition", host.partition}, {"account", host.account},
            {"minutes", host.minutes},     {"bytes_per_second", host.bytesPerSecond}};
}

/// Returns a number out of range if the entry is not a whole number.
std::int64_t wholeNumberIn(const Json& entry, const char* key, std::int64_t otherwise) {
    return entry.contains(key) ? numberAt(entry, key, -1) : otherwise;
}

Host hostIn(const Json& entry) {
    Host host;
    host.name = entry.at("name").get<std::string>();
    host.via = entry.at("via").get<std::string>();
    host.folder = entry.value("folder", host.folder);
    host.program = entry.value("program", host.program);
    host.start = jobStartNamed(entry.value("start", std::string(nameOf(host.start))));
    host.machines = entry.value("machines", host.machines);
    host.partition = entry.value("partition", host.partition);
    host.account = entry.value("account", host.account);
    const std::int64_t minutes = wholeNumberIn(entry, "minutes", host.minutes);
    host.minutes = static_cast<int>(std::clamp<std::int64_t>(minutes, -1, mostMinutes + 1));
    host.bytesPerSecond = wholeNumberIn(entry, "bytes_per_second", host.bytesPerSecond);
    requireSound(host);
    return host;
}

[[noreturn]] void throwSpoilt(const fs::path& path, const std::string& problem) {
    throw Error(ErrorCode::format, Where{.file = path.string()}, problem,
                "correct the file, or remove it and add the hosts again");
}

/// Returns {"hosts": [...]}, with any other keys of other versions.
Json readHostFile(const fs::path& path) {
    Json all = Json::object();
    std::error_code ignored;
    if (fs::exists(path, ignored)) {
        // A file that was just created, to set its access rights, is empty.
        if (const std::string text = readFile(path, largestHostFile); !text.empty()) {
            all = parseJson(text, path.string());
        }
    }
    if (!all.is_object() || !all.emplace("hosts", Json::array()).first->is_array()) {
        throwSpoilt(path, "contains no list of hosts");
    }
    return all;
}

void changeHosts(const std::function<void(Json& hosts)>& change) {
    const fs::path path = neededUserFolder("XDG_CONFIG_HOME", ".config") / "hosts.json";
    makeFolder(path.parent_path());
    // While the lock is held, no other process or thread changes the file.
    const FileHandle lock = waitForLock(path.string() + ".lock", std::chrono::seconds(10),
                                        "another process that changes " + path.string());
    Json all = readHostFile(path);
    change(all["hosts"]);
    // Rewriting keeps the access rights of the file; a new file is accessible only to the user.
    if (const FileHandle made(::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
        !made.isOpen()) {
        throwFileError(path, "write", errno);
    }
    writeFileWhole(path, jsonText(all, 1) + "\n");
}

std::string whichThereAre(const std::vector<Host>& hosts) {
    return hosts.empty() ? "weft host add NAME --via 'ssh NAME' adds one"
                         : fmt::format("name one of {}", fmt::join(namesOf(hosts), ", "));
}

} // namespace

std::string_view nameOf(JobStart start) { return startNames.at(static_cast<std::size_t>(start)); }

JobStart jobStartNamed(std::string_view name) {
    const auto* const found = std::ranges::find(startNames, name);
    if (found == startNames.end()) {
        throw Error(ErrorCode::usage, {}, fmt::format("\"{}\" is not a way to start jobs", name),
                    fmt::format("name one of {}", fmt::join(startNames, ", ")));
    }
    return static_cast<JobStart>(found - startNames.begin());
}

std::vector<Host> knownHosts() {
    const fs::path folder = userFolder("XDG_CONFIG_HOME", ".config");
    std::vector<Host> hosts;
    if (folder.empty()) {
        return hosts;
    }
    const fs::path path = folder / "hosts.json";
    const Json all = readHostFile(path);
    for (const Json& entry : all.at("hosts")) {
        try {
            hosts.push_back(hostIn(entry));
        } catch (const Json::exception&) {
            throwSpoilt(path, "a host in it has no name, no command or an invalid value");
        } catch (const Error& error) {
            throwSpoilt(path, error.problem());
        }
    }
    std::ranges::sort(hosts, {}, &Host::name);
    return hosts;
}

Host hostNamed(std::string_view name) {
    const std::vector<Host> hosts = knownHosts();
    const auto found = std::ranges::find(hosts, name, &Host::name);
    if (found == hosts.end()) {
        throw Error(ErrorCode::usage, {}, fmt::format("there is no host \"{}\"", name),
                    whichThereAre(hosts));
    }
    return *found;
}

void keepHost(const Host& host) {
    requireSound(host);
    changeHosts([&](Json& hosts) {
        for (Json& entry : hosts) {
            if (textAt(entry, "name") == host.name) {
                entry.update(hostAsJson(host));
                return;
            }
        }
        hosts.push_back(hostAsJson(host));
    });
}

void forgetHost(std::string_view name) {
    changeHosts([&](Json& hosts) {
        Json kept = Json::array();
        for (Json& entry : hosts) {
            if (textAt(entry, "name") != name) {
                kept.push_back(std::move(entry));
            }
        }
        if (kept.size() == hosts.size()) {
            throw Error(ErrorCode::usage, {}, fmt::format("there is no host \"{}\"", name),
                        whichThereAre(knownHosts()));
        }
        hosts = std::move(kept);
    });
}

std::string jsonOf(const std::vector<Host>& hosts) {
    Json all = Json::array();
    for (const Host& host : hosts) {
        all.push_back(hostAsJson(host));
    }
    return jsonText(all, 1) + "\n";
}

std::optional<RemoteRun> remoteRunNamed(std::string_view word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos || !isHostName(word.substr(0, colon))) {
        return std::nullopt;
    }
    RemoteRun run{std::string(word.substr(0, colon)), std::string(word.substr(colon + 1))};
    const std::vector<Host> hosts = knownHosts();
    if (std::ranges::find(hosts, run.host, &Host::name) == hosts.end()) {
        return std::nullopt;
    }
    if (!isRunName(run.run)) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("there is no run \"{}\" on {}", run.run, run.host),
                    fmt::format("weft runs --on {} lists its runs", run.host));
    }
    return run;
}

fs::path mirrorsOf(std::string_view host) {
    if (!isHostName(host)) {
        throw Error(ErrorCode::usage, {}, fmt::format("there is no host \"{}\"", host),
                    "weft host list prints the hosts");
    }
    return neededUserFolder("XDG_DATA_HOME", ".local/share") / "mirrors" / host;
}

fs::path mirrorFolder(const RemoteRun& run) {
    if (!isHostName(run.host) || !isRunName(run.run)) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("there is no run \"{}:{}\"", run.host, run.run),
                    "use the form HOST:RUN, as weft runs prints it");
    }
    return mirrorsOf(run.host) / run.run;
}

} // namespace weft
