// SPDX-License-Identifier: Apache-2.0
#pragma once
// One subcommand per file: each adds its options to the command line and returns the function that
// runs it. Exit codes: 0 success, 1 the run failed, 2 usage, 3 the design has errors, 4 environment
// (file, device, peer).

#include <functional>
#include <string>
#include <vector>

namespace weft {

class CommandLine;

enum ExitCode : int {
    success = 0,
    runFailed = 1,
    usageError = 2,      ///< the command line is invalid
    designError = 3,     ///< the design has errors
    environmentError = 4 ///< a file, a device or another process failed
};

/// Adds the subcommand to `line` and returns the function that runs it and returns the exit code.
using AddCommand = std::function<int()> (*)(CommandLine& line);

std::function<int()> addNew(CommandLine& line);
std::function<int()> addRun(CommandLine& line);
std::function<int()> addResume(CommandLine& line);
std::function<int()> addEval(CommandLine& line);
std::function<int()> addInfer(CommandLine& line);
std::function<int()> addProve(CommandLine& line);
std::function<int()> addBench(CommandLine& line);
std::function<int()> addExport(CommandLine& line);
std::function<int()> addImport(CommandLine& line);
std::function<int()> addCheck(CommandLine& line);
std::function<int()> addData(CommandLine& line);
std::function<int()> addExplain(CommandLine& line);
std::function<int()> addPlan(CommandLine& line);
std::function<int()> addCompare(CommandLine& line);
std::function<int()> addDevices(CommandLine& line);
std::function<int()> addCalibrate(CommandLine& line);
std::function<int()> addLayers(CommandLine& line);
std::function<int()> addSettingsVerb(CommandLine& line);
std::function<int()> addRuns(CommandLine& line);
std::function<int()> addAttach(CommandLine& line);
std::function<int()> addShow(CommandLine& line);
std::function<int()> addTell(CommandLine& line);
std::function<int()> addHost(CommandLine& line);
std::function<int()> addAnswer(CommandLine& line);
std::function<int()> addWords(CommandLine& line);

} // namespace weft
