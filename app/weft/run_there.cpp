// SPDX-License-Identifier: Apache-2.0
#include "run_there.h"

#include "command.h"
#include "designs.h"
#include "follow_run.h"
#include "run_place.h"
#include "say.h"
#include "verb.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/job_there.h>
#include <weft/remote.h>

#include <unistd.h>

#include <algorithm>

namespace weft {

namespace {

/// Over so many machines that ranks are spread: as said, or over all that mpirun has there.
int nodesFor(const Host& host, const ThereOptions& options, int ranks) {
    const auto machines = static_cast<int>(host.machines.size());
    const int nodes = options.nodes > 0 ? options.nodes : std::clamp(machines, 1, ranks);
    if (ranks % nodes != 0) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("{} ranks do not spread evenly over {} nodes", ranks, nodes),
                    "ask for as many on each (--ranks, --nodes)");
    }
    if (host.start != JobStart::slurm && nodes > std::max(1, machines)) {
        throw Error(ErrorCode::usage, {},
                    fmt::format("{} nodes, and {} has {}", nodes, host.name, std::max(1, machines)),
                    "name more: weft host add " + host.name + " --start mpirun --machines a,b");
    }
    return nodes;
}

/// Of the job there: what the host's settings and the options say.
ExportRequest jobFor(const Host& host, const ThereOptions& options, const WhatRuns& what) {
    ExportRequest job;
    job.design = readDesign(what.file, {.settings = what.settings, .isForElsewhere = true});
    job.folder = options.data;
    job.name = job.design.name.empty() ? what.file.stem().string() : job.design.name;
    job.coresPerRank = options.cores;
    job.devices = what.devices;
    job.minutes = options.minutes > 0 ? options.minutes : host.minutes;
    job.partition = host.partition;
    job.account = host.account;
    job.program = host.program;
    const int ranks = std::max(1, what.ranks);
    job.nodes = nodesFor(host, options, ranks);
    job.ranksPerNode = ranks / job.nodes;
    job.hosts.assign(host.machines.begin(),
                     host.machines.begin() +
                         std::min<std::ptrdiff_t>(job.nodes, std::ssize(host.machines)));
    return job;
}

/// A line that grows over itself on a terminal; silent elsewhere.
bool showProgress(Bytes sent, Bytes all) {
    if (::isatty(STDERR_FILENO) == 1 && all.count > 0) {
        fmt::print(stderr, "\rsending {} of {}{}", toString(sent), toString(all),
                   sent.count >= all.count ? "\n" : "  ");
    }
    return true;
}

int follow(RunPlace& place, bool leaves, bool asJson) {
    if (leaves) {
        return fine;
    }
    place.bring(true);
    return followOnTerminal(place.folder(), asJson);
}

} // namespace

void addThere(Verb& verb, ThereOptions& options) {
    verb.option("--on", options.host, "run it on this host (weft host list)");
    verb.option("--data-there", options.data, "with --on: the folder there in which its data lies");
    verb.flag("--send-data", options.sendsData, "with --on: its data lies here and is sent");
    verb.option("--nodes", options.nodes, "with --on: machines over which its ranks are spread")
        .between(1, 65536);
    verb.option("--cores", options.cores, "with --on: cores of each process that a queue gives")
        .between(1, 65536);
    verb.option("--minutes", options.minutes, "with --on: limit of a batch job").positive();
    verb.flag("--leave", options.leaves, "with --on: begin it, and do not follow it");
}

int runThere(const ThereOptions& options, const WhatRuns& what) {
    const Host host = hostNamed(options.host);
    if (!options.data.empty() && options.data.front() != '/') {
        throw Error(ErrorCode::usage, Where{.file = options.data}, "is no whole path",
                    "name the folder there from its root: --data-there /data/mnist");
    }
    ThereRequest request{.job = jobFor(host, options, what),
                         .start = host.start,
                         .host = host.name,
                         .folders = {std::filesystem::absolute(what.file).parent_path()},
                         .weights = what.weights,
                         .sendsData = options.sendsData};
    request.folders.insert(request.folders.end(), what.data.begin(), what.data.end());
    std::string run;
    {
        HostLine line(host, {.mayAsk = ::isatty(STDERR_FILENO) == 1});
        request.machine = machineOfJobs(host, line.survey());
        ThereJob job;
        namingFile(what.file, [&] {
            job = jobThere(request);
            if (!options.data.empty()) {
                line.look(toText(request.job.design), options.data);
            }
        });
        for (const std::string& remark : job.remarks) {
            warn("{}", remark);
        }
        run = line.start(newRunName(request.job.name), job, showProgress);
    }
    const std::string name = host.name + ":" + run;
    if (!what.asJson) {
        say("{}\n", name);
    }
    warn("it goes on whatever happens here: weft attach {0}, weft tell {0} stop", name);
    RunPlace place(name, true);
    return follow(place, options.leaves, what.asJson);
}

int resumeThere(RunPlace& place, const WhatRuns& what) {
    place.bring(true);
    HostLine& line = *place.line();
    const Run run = openRun(place.folder());
    WhatRuns there = what;
    there.file = place.folder() / "design.weft";
    // Where nothing is said it goes on as it last went.
    there.devices = what.devices.empty() ? beginOf(place.folder()).devices : what.devices;
    ThereOptions options;
    if (what.ranks == 0 && !run.attempts.empty()) {
        there.ranks = run.attempts.back().ranks;
        options.nodes = run.attempts.back().hosts;
    }
    ExportRequest job = jobFor(line.host(), options, there);
    job.settings = what.settings; // the run's own design is what goes on
    line.resume(place.run(), jobFiles(job, line.host().start),
                what.settings.empty() && what.devices.empty() && what.ranks == 0);
    return follow(place, false, what.asJson);
}

} // namespace weft
