// SPDX-License-Identifier: Apache-2.0
#include "run_there.h"

#include "command.h"
#include "designs.h"
#include "follow_run.h"
#include "run_place.h"
#include "say.h"
#include "verb.h"
#include <weft/error.h>
#include <weft/job_there.h>
#include <weft/remote.h>

#include <unistd.h>

#include <algorithm>

namespace weft {

namespace {

/// Of the job there: what the host's settings and the options say.
ExportRequest jobFor(const Host& host, const ThereOptions& options, const WhatRuns& what) {
    ExportRequest job;
    job.design = readDesign(what.file, {.settings = what.settings, .isForElsewhere = true});
    job.folder = options.data;
    job.name = job.design.name.empty() ? what.file.stem().string() : job.design.name;
    job.nodes = options.nodes;
    job.coresPerRank = options.cores;
    job.devices = what.devices;
    job.minutes = options.minutes > 0 ? options.minutes : host.minutes;
    job.partition = host.partition;
    job.account = host.account;
    job.program = host.program;
    const int ranks = std::max(1, what.ranks);
    if (ranks % options.nodes != 0) {
        throw Error(
            ErrorCode::usage, {},
            fmt::format("{} ranks do not spread evenly over {} nodes", ranks, options.nodes),
            "ask for as many on each");
    }
    job.ranksPerNode = ranks / options.nodes;
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
        request.machine = line.survey().machine.machine;
        ThereJob job;
        namingFile(what.file, [&] { job = jobThere(request); });
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

int resumeThere(RunPlace& place, const ThereOptions& options, const WhatRuns& what) {
    place.bring(true);
    HostLine& line = *place.link();
    WhatRuns there = what;
    there.file = place.folder() / "design.weft";
    const RunBegin begun = beginOf(place.folder());
    there.devices = what.devices.empty() ? begun.devices : what.devices;
    ExportRequest job = jobFor(line.host(), options, there);
    job.settings = what.settings; // the run's own design is what goes on
    const bool isOne = line.host().start == JobStart::here && job.ranks() == 1;
    const ExportTarget target = line.host().start == JobStart::slurm ? ExportTarget::slurm
                                : isOne                              ? ExportTarget::machine
                                                                     : ExportTarget::mpirun;
    std::vector<ExportedFile> files{exportedScript(job, target)};
    if (target == ExportTarget::mpirun) {
        files.push_back(exportedHostfile(job));
    }
    line.resume(place.run(), files);
    return follow(place, options.leaves, what.asJson);
}

} // namespace weft
