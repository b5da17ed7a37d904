// SPDX-License-Identifier: Apache-2.0
// weft host: manages the hosts on which runs can be started.
#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/signals.h"
#include "command_line/verb.h"
#include <weft/error.h>
#include <weft/hosts.h>
#include <weft/remote.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

namespace weft {

namespace {

struct HostOptions {
    std::string word;
    std::string name;
    // Options of `add`; an empty text, 0 or -1 means that the option was not given.
    std::string via;
    std::string folder;
    std::string program;
    std::string start;
    std::vector<std::string> machines;
    std::string partition;
    std::string account;
    int minutes = 0;
    std::int64_t limit = -1;
    bool isJson = false;
    bool isFromSource = false; ///< option of install
    bool asksNodes = false;    ///< option of check

    [[nodiscard]] bool saysOfAHost() const {
        return !via.empty() || !folder.empty() || !program.empty() || !start.empty() ||
               !machines.empty() || !partition.empty() || !account.empty() || minutes != 0 ||
               limit != -1;
    }
};

/// "cluster: ssh cluster; runs in weft-runs, weft as ~/weft/bin/weft, jobs by slurm in gpu"
std::string hostText(const Host& host) {
    std::string text = fmt::format("{}: {}; runs in {}, weft as {}, jobs by {}", host.name,
                                   host.via, host.folder, host.program, nameOf(host.start));
    text += host.machines.empty() ? "" : fmt::format(" on {}", fmt::join(host.machines, ", "));
    text += host.partition.empty() ? "" : " in " + host.partition;
    text += host.account.empty() ? "" : " for " + host.account;
    text += host.start == JobStart::slurm ? fmt::format(", {} min", host.minutes) : "";
    return text + (host.bytesPerSecond == 0 ? ""
                                            : fmt::format(", at most {} per second",
                                                          toString(Bytes{host.bytesPerSecond})));
}

/// Adds a host or changes a known one; options that are not given keep their values.
void addTheHost(const HostOptions& options) {
    const std::vector<Host> hosts = knownHosts();
    const auto known = std::ranges::find(hosts, options.name, &Host::name);
    Host host = known != hosts.end() ? *known : Host{.name = options.name};
    const auto take = [](const std::string& said, std::string& into) {
        into = said.empty() ? into : said;
    };
    take(options.via, host.via);
    take(options.folder, host.folder);
    take(options.program, host.program);
    take(options.partition, host.partition);
    take(options.account, host.account);
    host.start = options.start.empty() ? host.start : jobStartNamed(options.start);
    if (!options.machines.empty() || host.start != JobStart::mpirun) {
        host.machines = options.machines;
    }
    host.minutes = options.minutes == 0 ? host.minutes : options.minutes;
    host.bytesPerSecond = options.limit == -1 ? host.bytesPerSecond : options.limit;
    keepHost(host);
    say("{}\n", hostText(host));
}

void listHosts(const HostOptions& options) {
    const std::vector<Host> hosts = knownHosts();
    if (options.isJson) {
        say("{}", jsonOf(hosts));
        return;
    }
    for (const Host& host : hosts) {
        say("{}\n", hostText(host));
    }
}

void closeTheHost(const HostOptions& options) {
    say("{}\n", closeConnection(hostNamed(options.name)) ? "the connection is closed"
                                                         : "there was no connection");
}

void checkTheHost(const HostOptions& options) {
    const Host host = hostNamed(options.name);
    // A job may wait in the queue for longer than a connection lasts.
    HostLine line(host, {.mayAsk = ::isatty(STDERR_FILENO) == 1, .reconnects = options.asksNodes});
    if (!options.asksNodes) {
        say("{}", print(host, line.survey()));
        return;
    }
    countSignals();
    std::string reported;
    const HostReport report = line.askNodes([&](const std::string& waits) {
        if (waits != reported && !waits.empty()) {
            warn("waiting: {}", waits);
        }
        reported = waits;
        return signalCount() == 0;
    });
    say("{}", print(host, report));
}

/// Prints a progress line that overwrites itself on a terminal; prints nothing elsewhere.
bool showInstalling(const InstallProgress& now) {
    if (::isatty(STDERR_FILENO) == 1) {
        const std::string bytes =
            now.all.count == 0 ? std::string()
                               : fmt::format(" {} of {}", toString(now.done), toString(now.all));
        fmt::print(stderr, "\r{}{}\x1b[K", now.stage, bytes);
    }
    if (!now.log.empty()) {
        fmt::print(stderr, "\n{}\n", now.log);
    }
    return signalCount() == 0;
}

void installOnTheHost(const HostOptions& options) {
    countSignals();
    const auto endLine = [] {
        if (::isatty(STDERR_FILENO) == 1) {
            fmt::print(stderr, "\r\x1b[K");
        }
    };
    Host host;
    try {
        host = installOn({.host = hostNamed(options.name),
                          .isFromSource = options.isFromSource,
                          .mayAsk = ::isatty(STDERR_FILENO) == 1},
                         showInstalling);
    } catch (const Error&) {
        endLine();
        throw;
    }
    endLine();
    say("{}\n", hostText(host));
    if (!options.isFromSource) {
        warn("MPI, cuDNN, cuBLAS and NCCL are not copied. The installed engine uses the host's "
             "cuDNN, cuBLAS and NCCL; --from-source builds an engine for several ranks");
    }
}

int doToHosts(const HostOptions& options) {
    const bool isList = options.word == "list";
    if (isList != options.name.empty()) {
        throw Error(ErrorCode::usage, {},
                    isList ? "list takes no name" : options.word + " takes the name of a host",
                    isList ? "leave it out" : "weft host list shows all hosts");
    }
    if (options.word != "add" && options.saysOfAHost()) {
        throw Error(ErrorCode::usage, {}, options.word + " takes no settings of a host",
                    "use weft host add NAME, which also changes an existing host");
    }
    if (options.isFromSource && options.word != "install") {
        throw Error(ErrorCode::usage, {}, options.word + " does not take --from-source",
                    "leave it out, or use install");
    }
    if (options.asksNodes && options.word != "check") {
        throw Error(ErrorCode::usage, {}, options.word + " does not take --nodes",
                    "leave it out, or use check");
    }
    if (isList) {
        listHosts(options);
    } else if (options.word == "check") {
        checkTheHost(options);
    } else if (options.word == "install") {
        installOnTheHost(options);
    } else if (options.word == "add") {
        addTheHost(options);
    } else if (options.word == "close") {
        closeTheHost(options);
    } else {
        forgetHost(options.name);
    }
    return success;
}

} // namespace

std::function<int()> addHost(CommandLine& line) {
    Verb verb =
        line.verb("host", "manage hosts for remote runs: add, list, check, install, close, remove");
    verb.footer(
        "Hosts are stored in ~/.config/weft/hosts.json; ssh alone handles keys and passwords. "
        "`add` also changes an existing host. Weft shares one ssh connection between its commands "
        "and keeps it open for ten minutes; `close` ends it. `install` copies this engine and its "
        "libraries to ~/weft on the host, without root; with --from-source it builds the engine "
        "there. On a cluster with a queue, `check --nodes` submits a one-minute job that reports "
        "the hardware of a compute node, and later runs are planned for it. Weft sends designs, "
        "initial weights and, with --send-data, data to the host, and receives what runs write. "
        "Nothing stays on the host but jobs, runs and the installed engine.\nExamples: weft host "
        "add cluster --via 'ssh cluster' --program '~/weft/bin/weft' --start slurm --partition "
        "gpu\n  weft host add box --via 'docker exec -i box sh -c'");
    auto options = std::make_shared<HostOptions>();
    verb.option("WORD", options->word, "add, list, check, install, close or remove")
        .required()
        .oneOf({"add", "list", "check", "install", "close", "remove"});
    verb.option("NAME", options->name, "the host");
    verb.option("--via", options->via,
                "command that runs a shell command on the host and connects its standard input and "
                "output, such as 'ssh cluster'");
    verb.option("--folder", options->folder,
                "folder for runs on the host; default: weft-runs in the home folder");
    verb.option("--program", options->program, "path of weft on the host, such as ~/weft/bin/weft");
    verb.option("--start", options->start, "how jobs start: here, mpirun or slurm");
    verb.option("--machines", options->machines,
                "machines on which mpirun starts ranks, by ssh: n1,n2")
        .separatedBy(',');
    verb.option("--partition", options->partition, "value of sbatch's option of this name");
    verb.option("--account", options->account, "value of sbatch's option of this name");
    verb.option("--minutes", options->minutes, "time limit of a batch job in minutes; default: 60")
        .positive();
    verb.option("--limit", options->limit,
                "bandwidth limit of the connection in bytes per second; 0: no limit")
        .notNegative();
    verb.flag("--from-source", options->isFromSource,
              "with install: build on the host, with its compiler, MPI and CUDA");
    verb.flag("--nodes", options->asksNodes,
              "with check, on a cluster with a queue: query a compute node of the partition by a "
              "one-minute job");
    verb.flag("--json", options->isJson, "print the list as JSON");
    return [options] { return doToHosts(*options); };
}

} // namespace weft
