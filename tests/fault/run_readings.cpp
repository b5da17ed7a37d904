// SPDX-License-Identifier: Apache-2.0
#include "run_readings.h"

#include "../cli/weft_process.h"
#include "base/process/waiting.h"
#include "events/run_directory.h"
#include "run/session/attempt.h"
#include "support/heap.h"
#include "support/places.h"
#include <weft/atoms.h>
#include <weft/catalogue.h>
#include <weft/comparison.h>
#include <weft/design_file.h>
#include <weft/error.h>
#include <weft/pictures.h>
#include <weft/runs.h>
#include <weft/sinks.h>

#include <fmt/format.h>
#include <unistd.h>

#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <limits>
#include <memory>
#include <sstream>
#include <stop_token>

namespace weft::test {

namespace fs = std::filesystem;

namespace {

void asRuns(const fs::path& run) {
    for (const RunSummary& summary : listRuns(run.parent_path())) {
        static_cast<void>(figuresOf(summary));
    }
    static_cast<void>(livingRuns(run.parent_path()));
    static_cast<void>(copyOf(run));
}

void asShow(const fs::path& run) { static_cast<void>(openRun(run)); }

void asShownWeights(const fs::path& run) {
    const fs::path newest = newestCheckpoint(run);
    for (const std::string& name : tensorsIn(newest)) {
        static_cast<void>(mosaic(readTensor(newest, name)));
    }
}

void asShownTensors(const fs::path& run) {
    for (const char* folder : {"tensors", "series"}) {
        std::error_code none;
        for (const auto& entry : fs::directory_iterator(run / folder, none)) {
            static_cast<void>(histogram(readTensor(entry.path()), 16));
        }
    }
}

void asTrace(const fs::path& run) {
    const Timeline timeline = readTimeline(run, 0, std::numeric_limits<std::int64_t>::max());
    static_cast<void>(print(timeline));
}

void asAttach(const fs::path& run) {
    std::ostringstream out;
    SinkPlace place;
    place.folder = run;
    place.out = &out;
    place.goal = [&run] {
        const TrainingSettings training =
            loadDesign(run / "design.weft", catalogue()).design.training;
        return RunGoal{training.steps, training.epochs, training.seconds};
    };
    const std::unique_ptr<RunSink> sinks[] = {makeSink("terminal", place)};
    RunReader reader(run, true);
    std::stop_source asFarAsItIs; // a damaged lock may seem to be held
    asFarAsItIs.request_stop();
    followRun(reader, sinks, asFarAsItIs.get_token(), [](const Error&) {});
    static_cast<void>(reader.state());
    static_cast<void>(reader.runningOps());
    static_cast<void>(reader.figures());
}

void asResume(const fs::path& run) {
    static_cast<void>(beginOf(run));
    static_cast<void>(machineOf(run));
    static_cast<void>(lastCheckpoint(run));
    static_cast<void>(RunDirectory::reserve(run));
}

void asCompare(const fs::path& run) { static_cast<void>(compareRun(run)); }

void asDictionaries(const fs::path& run) {
    const Design design = loadDesign(run / "design.weft", catalogue()).design;
    static_cast<void>(dictionariesIn(newestCheckpoint(run), design));
}

struct Reading {
    const char* name;
    void (*read)(const fs::path&);
    bool takesLong = false;
};
constexpr std::array<Reading, 9> readings{{{"runs", asRuns},
                                           {"show", asShow},
                                           {"show --weights", asShownWeights},
                                           {"show --tensor", asShownTensors},
                                           {"show --trace", asTrace},
                                           {"attach", asAttach},
                                           {"resume", asResume},
                                           {"compare", asCompare, true},
                                           {"dictionaries", asDictionaries, true}}};

double processorSeconds() {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

constexpr double mostSeconds = 2;
constexpr std::size_t mostBytes = std::size_t{128} << 20U;
constexpr unsigned hangSeconds = 60;

std::string brokenBy(const Reading& reading, const fs::path& run) {
    const double begin = processorSeconds();
    const HeapPeak peak;
    std::string fault;
    try {
        reading.read(run);
    } catch (const Error& error) {
        if (error.code() == ErrorCode::bug || error.remedy().empty()) {
            fault = std::string("says ") + error.what();
        }
    } catch (const std::exception& error) {
        fault = std::string("lets through: ") + error.what();
    }
    if (peak.bytes() > mostBytes) {
        fault = fmt::format("takes {} MB", peak.bytes() >> 20U);
    }
    if (const double seconds = processorSeconds() - begin; seconds > mostSeconds) {
        fault = fmt::format("takes {:.1f} s of a processor", seconds);
    }
    return fault.empty() ? fault : std::string(reading.name) + " " + fault;
}

/// Printed by a signal handler if a reading never ends.
std::array<char, 2000> current{};

void nameHang(int /*signal*/) {
    static_cast<void>(!::write(STDERR_FILENO, current.data(), std::strlen(current.data())));
    ::_exit(1);
}

/// In memory where the system has a folder there: many thousands of small files.
QString quickPlace() {
    return (QFileInfo("/dev/shm").isWritable() ? QString("/dev/shm") : QDir::tempPath()) +
           "/weft_damaged_XXXXXX";
}

/// Two runs in folders of their own, one of which is a copy of another host's, and what damages
/// them.
struct Sample {
    QTemporaryDir folder{quickPlace()};
    std::vector<DamagedRun> runs;
    std::string fault;

    Sample() {
        const fs::path here = folder.path().toStdString();
        fault = makeWholeRun(here / "whole");
        if (!fault.empty()) {
            return;
        }
        fs::copy(here / "whole", here / "mirror", fs::copy_options::recursive);
        makeMirror(here / "mirror");
        for (const char* kind : {"whole", "mirror"}) {
            fs::create_directories(here / "damaged" / kind);
            runs.emplace_back(here / kind, here / "damaged" / kind / "run");
        }
    }
};

} // namespace

std::string brokenInvariant(const fs::path& run, bool isThorough) {
    for (const Reading& reading : readings) {
        if (isThorough || !reading.takesLong) {
            if (std::string fault = brokenBy(reading, run); !fault.empty()) {
                return fault;
            }
        }
    }
    return {};
}

std::string readDamagedRuns(int cases, std::uint64_t seed) {
    qInfo("seed %llu", static_cast<unsigned long long>(seed));
    Sample sample;
    if (!sample.fault.empty()) {
        return sample.fault;
    }
    for (const DamagedRun& whole : sample.runs) {
        if (std::string fault = brokenInvariant(whole.path(), true); !fault.empty()) {
            return "whole: " + fault;
        }
    }
    const auto before = std::signal(SIGALRM, nameHang);
    std::string found;
    for (int number = 0; number < cases && found.empty(); ++number) {
        // By its number, so that one case can be drawn again alone.
        std::mt19937_64 draw(seed + static_cast<std::uint64_t>(number));
        DamagedRun& run = sample.runs[draw() % 4 == 0 ? 1 : 0];
        const std::string damage = run.damage(draw);
        const std::string title =
            fmt::format("seed {}: {}", seed + static_cast<std::uint64_t>(number), damage);
        const std::string hang = title.substr(0, current.size() - 100) + ": a reading hangs\n";
        std::memcpy(current.data(), hang.c_str(), hang.size() + 1);
        ::alarm(hangSeconds);
        constexpr int thoroughEvery = 16;
        if (const std::string fault = brokenInvariant(run.path(), number % thoroughEvery == 0);
            !fault.empty()) {
            found = title + ": " + fault;
        }
        ::alarm(0);
        run.restore();
    }
    std::signal(SIGALRM, before);
    return found;
}

std::string runVerbsOnDamagedRuns(int cases, std::uint64_t seed) {
    qInfo("seed %llu", static_cast<unsigned long long>(seed));
    Sample sample;
    if (!sample.fault.empty()) {
        return sample.fault;
    }
    DamagedRun& run = sample.runs.front();
    const QString folder = QString::fromStdString(run.path().parent_path().string());
    const std::array<QStringList, 8> verbs{{{"show", "run"},
                                            {"resume", "run", "--devices", "cpu:0"},
                                            {"show", "run", "--json"},
                                            {"attach", "run"},
                                            {"runs", "."},
                                            {"compare", "run"},
                                            {"show", "run", "--trace", "trace.json"},
                                            {"show", "run", "--weights", "conv.weight"}}};
    for (int number = 0; number < cases; ++number) {
        std::mt19937_64 draw(seed + static_cast<std::uint64_t>(number));
        const std::string title = fmt::format(
            "seed {}: {}: ", seed + static_cast<std::uint64_t>(number), run.damage(draw));
        const QStringList& words = verbs[static_cast<std::size_t>(number) % verbs.size()];
        // Stopped by the system where it hangs, with a code of its own.
        const Ended ended = startedBy(
            "timeout", {"-s", "KILL", "60", QString::fromStdString(weftProgram().string())}, words,
            folder);
        const std::string said = (ended.out + ended.error).toStdString();
        const bool isFine =
            ended.code >= 0 && ended.code <= 4 && (ended.code == 0 || !ended.error.isEmpty());
        bool isOurFault = false;
        for (const char* word :
             {"invariant", "fault of Weft", "std::", "terminate", "filesystem"}) {
            isOurFault = isOurFault || said.find(word) != std::string::npos;
        }
        if (!isFine || isOurFault) {
            return title + words.join(' ').toStdString() +
                   fmt::format(" ends with {}: {}", ended.code, said);
        }
        run.renew();
    }
    return {};
}

} // namespace weft::test
