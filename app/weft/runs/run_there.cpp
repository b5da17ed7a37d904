// SPDX-License-Identifier: Apache-2.0
#include "runs/run_there.h"

#include "command_line/command.h"
#include "command_line/say.h"
#include "command_line/verb.h"
#include "designs/designs.h"
#include "runs/follow_run.h"
#include "runs/run_place.h"
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/job_there.h>
#include <weft/remote.h>

#include <unistd.h>

#include <algorithm>

namespace weft {

namespace {

JobRequest jobRequestOf(const RemoteRunOptions& options, const RunArguments& what) {
    return {.ranks = what.ranks,
            .nodes = options.nodes,
            .cores = options.cores,
            .minutes = options.minutes,
            .devices = what.devices,
            .data = options.data};
}

/// Prints a progress line that overwrites itself on a terminal; prints nothing elsewhere.
bool showProgress(Bytes sent, Bytes all) {
    if (::isatty(STDERR_FILENO) == 1 && all.count > 0) {
        fmt::print(stderr, "\rsending {} of {}{}", toString(sent), toString(all),
                   sent.count >= all.count ? "\n" : "  ");
    }
    return true;
}

void sayRemarks(const RemoteJob& job) {
    for (const std::string& remark : job.remarks) {
        warn("{}", remark);
    }
}

int follow(RunPlace& place, bool leaves, bool asJson) {
    if (leaves) {
        return success;
    }
    place.updateCopy(true);
    return followOnTerminal(place.folder(), asJson);
}

} // namespace

void addRemoteRunOptions(Verb& verb, RemoteRunOptions& options) {
    verb.option("--on", options.host, "run on this host (see weft host list)");
    verb.option("--data-there", options.data, "with --on: folder of the data on the host");
    verb.flag("--send-data", options.sendsData, "with --on: send the data from this machine");
    verb.option("--nodes", options.nodes, "with --on: number of machines for the ranks")
        .between(1, 65536);
    verb.option("--cores", options.cores, "with --on: cores per process to request from the queue")
        .between(1, 65536);
    verb.option("--minutes", options.minutes, "with --on: time limit of the batch job in minutes")
        .positive();
    verb.flag("--leave", options.leaves, "with --on: start the run and do not follow it");
}

int runOnHost(const RemoteRunOptions& options, const RunArguments& what) {
    const Host host = hostNamed(options.host);
    const Design design =
        readDesign(what.file, {.settings = what.settings, .isForOtherHost = true});
    RemoteJobRequest request{.job = jobOn(host, design, jobRequestOf(options, what)),
                             .folders = {std::filesystem::absolute(what.file).parent_path()},
                             .weights = what.weights,
                             .sendsData = options.sendsData};
    if (request.job.name.empty()) {
        request.job.name = what.file.stem().string();
    }
    request.folders.insert(request.folders.end(), what.data.begin(), what.data.end());
    std::string run;
    {
        HostLine line(host, {.mayAsk = ::isatty(STDERR_FILENO) == 1});
        namingFile(what.file, [&] {
            run = startThere(line, std::move(request),
                             {.planned = sayRemarks, .progress = showProgress});
        });
    }
    const std::string name = host.name + ":" + run;
    if (!what.asJson) {
        say("{}\n", name);
    }
    warn("it continues independently of this machine: weft attach {0}, weft tell {0} stop", name);
    RunPlace place(name, true);
    return follow(place, options.leaves, what.asJson);
}

int resumeOnHost(RunPlace& place, const RunArguments& what) {
    place.updateCopy(true);
    HostLine& line = *place.line();
    ExportRequest job = resumedJob(line.host(), place.folder(), jobRequestOf({}, what));
    job.settings = what.settings; // the run continues with its own design
    line.resume(place.run(), jobFiles(job, line.host().start),
                what.settings.empty() && what.devices.empty() && what.ranks == 0);
    return follow(place, false, what.asJson);
}

} // namespace weft
