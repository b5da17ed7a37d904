// SPDX-License-Identifier: Apache-2.0
#include "base/process/keeper.h"

#include "base/files/files.h"
#include "base/process/waiting.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <optional>
#include <string_view>
#include <thread>

namespace weft {

namespace fs = std::filesystem;

namespace {

using std::chrono::milliseconds;

/// Time for a program to end by itself after its owner is gone.
constexpr milliseconds finishLimit{20'000};
/// Exit code of shells for a program that cannot be started.
constexpr int cannotBegin = 127;

/// Returns the parent in a line "12 (a name) S 1 ..." of /proc/PID/stat: 1 here; 0 if the process
/// is gone.
int parentOf(const fs::path& process) {
    const FileHandle file(::open((process / "stat").c_str(), O_RDONLY | O_CLOEXEC));
    std::array<char, 512> text{};
    const auto size = file.isOpen() ? ::read(file.get(), text.data(), text.size()) : -1;
    const std::string_view said(text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    const auto name = said.rfind(')');
    int parent = 0;
    if (name != std::string_view::npos && said.size() > name + 4) {
        std::from_chars(said.data() + name + 4, said.data() + said.size(), parent);
    }
    return parent;
}

std::vector<char*> pointersTo(const std::vector<std::string>& words) {
    std::vector<char*> pointers;
    pointers.reserve(words.size() + 1);
    for (const std::string& word : words) {
        pointers.push_back(const_cast<char*>(word.c_str())); // exec() does not change the strings
    }
    pointers.push_back(nullptr);
    return pointers;
}

void signalAllBelow(int process, int number) {
    for (const int child : childrenOf(process)) {
        ::kill(child, number);
        signalAllBelow(child, number);
    }
}

void onChild(int) {}

class Keeper {
public:
    explicit Keeper(const KeeperOrders& orders) : orders_(orders), channel_(orders.channel) {}

    void keep() {
        leaveOthersAlone();
        const bool hasBegun = makeFolders() && begin();
        answer({hasBegun ? program_ : 0});
        if (hasBegun) {
            holdNothing();
            while (!hasEnded_) {
                listen();
                reap();
            }
            endWhatIsLeft();
        }
        removeFolders();
        answer({status_, hasKilled_});
    }

private:
    /// Detaches from the terminal and from the owner's process group, so that their signals do not
    /// end the keeper.
    void leaveOthersAlone() {
        ::setsid();
        ::prctl(PR_SET_CHILD_SUBREAPER, 1); // adopt orphaned descendants
        ::prctl(PR_SET_NAME, "keeper");
        for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2}) {
            struct sigaction ignore {};
            ignore.sa_handler = SIG_IGN;
            ::sigaction(number, &ignore, nullptr);
        }
        struct sigaction heard {};
        heard.sa_handler = onChild;
        ::sigaction(SIGCHLD, &heard, nullptr);
        sigset_t child;
        sigemptyset(&child);
        sigaddset(&child, SIGCHLD);
        ::sigprocmask(SIG_SETMASK, &child, nullptr); // blocks SIGCHLD except during hear()
        closeAllBut({orders_.channel, orders_.sideFile});
    }

    static void closeAllBut(std::array<int, 2> kept) {
        std::ranges::sort(kept);
        unsigned from = STDERR_FILENO + 1;
        for (const int one : kept) {
            if (one >= static_cast<int>(from)) {
                ::close_range(from, static_cast<unsigned>(one) - 1, 0);
                from = static_cast<unsigned>(one) + 1;
            }
        }
        ::close_range(from, ~0U, 0);
    }

    /// Closes the standard streams, so that readers of the program's output see its end.
    static void holdNothing() {
        const int nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
        for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
            ::dup2(nothing, standard);
        }
    }

    void sayAside(const fs::path& what, std::string_view problem, int error) const {
        const std::string text =
            fmt::format("{}: {}: {}\n", what.string(), problem, std::strerror(error));
        [[maybe_unused]] const auto written = ::write(orders_.sideFile, text.data(), text.size());
    }

    bool makeFolders() {
        return std::ranges::all_of(orders_.folders, [this](const fs::path& folder) {
            const bool isMade = ::mkdir(folder.c_str(), 0700) == 0;
            if (!isMade) {
                sayAside(folder, "cannot create the folder", errno);
            }
            return isMade;
        });
    }

    void removeFolders() const {
        std::error_code ignored;
        for (const fs::path& folder : orders_.folders) {
            fs::remove_all(folder, ignored);
        }
    }

    bool begin() {
        const int keeper = ::getpid();
        program_ = ::fork();
        if (program_ < 0) {
            sayAside(orders_.program, "cannot be started", errno);
        }
        if (program_ == 0) {
            become(keeper);
        }
        return program_ > 0;
    }

    [[noreturn]] void become(int keeper) const {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != keeper) {
            ::_exit(cannotBegin);
        }
        ::setpgid(0, 0);
        for (int number = 1; number < SIGRTMIN; ++number) {
            struct sigaction usual {};
            usual.sa_handler = SIG_DFL;
            ::sigaction(number, &usual, nullptr);
        }
        sigset_t none;
        sigemptyset(&none);
        ::sigprocmask(SIG_SETMASK, &none, nullptr);
        const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        ::dup2(nothing, STDIN_FILENO);
        ::dup2(orders_.sideFile, orders_.sideFileNumber);
        ::execve(orders_.program.c_str(), pointersTo(orders_.arguments).data(),
                 pointersTo(orders_.environment).data());
        sayAside(orders_.program, "cannot be started", errno);
        ::_exit(cannotBegin);
    }

    void answer(KeeperAnswer what) const {
        [[maybe_unused]] const auto sent =
            ::send(orders_.channel, &what, sizeof(what), MSG_NOSIGNAL);
    }

    /// Waits for a command, the end of a child, or the timeout.
    void listen() {
        pollfd look{channel_, POLLIN, 0};
        constexpr std::int64_t milli = 1'000'000;
        timespec wait{0, 200 * milli};
        if (killsAt_) {
            wait = {0, std::min<std::int64_t>(200, killsAt_->left() / milliseconds(1) + 1) * milli};
        }
        sigset_t none;
        sigemptyset(&none);
        if (::ppoll(&look, 1, &wait, &none) == 1) {
            hear();
        }
        if (killsAt_ && killsAt_->hasPassed()) {
            ::kill(program_, SIGKILL);
            hasKilled_ = true;
        }
    }

    void hear() {
        char word = 0;
        const auto got = ::recv(channel_, &word, 1, 0);
        if (got < 0) {
            return; // interrupted; the caller listens again
        }
        if (got == 0) {
            channel_ = -1;
            if (mayFinish_) {
                // A stopped program could not end by itself.
                signalAllBelow(::getpid(), SIGCONT);
                endWithin(finishLimit);
            } else {
                end();
            }
        } else if (word == static_cast<char>(KeeperCommand::mayFinish)) {
            mayFinish_ = true;
        } else {
            end();
        }
    }

    void end() {
        if (orders_.grace.count() > 0) {
            ::kill(program_, SIGTERM);
        }
        endWithin(orders_.grace);
    }

    void endWithin(milliseconds limit) {
        if (!killsAt_ || killsAt_->left() > limit) {
            killsAt_.emplace(limit);
        }
    }

    void reap() {
        int status = 0;
        for (int ended = ::waitpid(-1, &status, WNOHANG); ended > 0;
             ended = ::waitpid(-1, &status, WNOHANG)) {
            if (ended == program_) {
                hasEnded_ = true;
                status_ = status;
            }
        }
    }

    /// Kills the remaining processes of the program, which this process has adopted by now.
    static void endWhatIsLeft() {
        for (;;) {
            for (const int child : childrenOf(::getpid())) {
                ::kill(child, SIGKILL);
            }
            int ended = 1;
            while (ended > 0) {
                ended = ::waitpid(-1, nullptr, WNOHANG);
            }
            if (ended < 0) {
                return; // none is left
            }
            std::this_thread::sleep_for(milliseconds(2));
        }
    }

    const KeeperOrders& orders_;
    int channel_;
    int program_ = -1;
    int status_ = cannotBegin << 8; ///< in the format of wait()
    bool hasEnded_ = false;
    bool mayFinish_ = false;
    bool hasKilled_ = false;
    std::optional<Deadline> killsAt_;
};

} // namespace

std::vector<int> childrenOf(int process) {
    std::vector<int> children;
    std::error_code ignored;
    fs::directory_iterator at("/proc", ignored);
    for (; at != fs::directory_iterator(); at.increment(ignored)) {
        const std::string name = at->path().filename().string();
        int child = 0;
        const auto end = std::from_chars(name.data(), name.data() + name.size(), child);
        if (end.ec == std::errc{} && parentOf(at->path()) == process) {
            children.push_back(child);
        }
    }
    return children;
}

void runKeeper(const KeeperOrders& orders) noexcept {
    Keeper(orders).keep();
    ::_exit(0);
}

} // namespace weft
