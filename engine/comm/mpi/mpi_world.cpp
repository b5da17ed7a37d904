// SPDX-License-Identifier: Apache-2.0
#include "comm/mpi/mpi_world.h"

#include "base/files/files.h"
#include "base/process/environment.h"
#include "base/process/waiting.h"
#include "comm/message_collective.h"
#include "comm/postbox.h"
#include <weft/error.h>

#include <fcntl.h>
#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

namespace weft {

namespace {

void check(int code, const char* call) {
    if (code == MPI_SUCCESS) {
        return;
    }
    std::array<char, MPI_MAX_ERROR_STRING> text{};
    int length = 0;
    MPI_Error_string(code, text.data(), &length);
    throw Error(ErrorCode::peer, Where{.op = call},
                std::string(text.data(), static_cast<std::size_t>(length)),
                "check that all ranks run and that the network connects them");
}

/// The launcher makes Open MPI write its own messages to a descriptor of mpirun. Here that
/// descriptor becomes the same file, or standard error if mpirun runs on another host.
void openAside() {
    const int number = std::atoi(fromEnvironment("OPAL_OUTPUT_STDERR_FD").c_str());
    if (number <= STDERR_FILENO) {
        return;
    }
    const std::string path = fmt::format("/proc/{}/fd/{}", ::getppid(), number);
    const FileHandle mpiruns(::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    ::dup3(mpiruns.isOpen() ? mpiruns.get() : STDERR_FILENO, number, O_CLOEXEC);
}

/// Pending requests by ticket. Entries are reused, so that steps after the first allocate nothing.
class MpiPostbox final : public Postbox {
public:
    explicit MpiPostbox(std::mutex& mutex) : mutex_(mutex) {}

    void setDevices(const std::vector<int>& rankOf) {
        rankOf_ = rankOf;
        localOf_.assign(rankOf.size(), 0);
        std::vector<std::uint32_t> count(static_cast<std::size_t>(std::ranges::max(rankOf)) + 1, 0);
        for (std::size_t k = 0; k < rankOf.size(); ++k) {
            localOf_[k] = count[static_cast<std::size_t>(rankOf[k])]++;
        }
        perRank_ = std::ranges::max(count);
    }

    PostTicket send(DeviceId from, DeviceId to, std::uint32_t tag,
                    std::span<const std::byte> bytes) override {
        const std::scoped_lock lock(mutex_);
        const std::size_t slot = freeSlot();
        check(MPI_Isend(bytes.data(), sizeOf(bytes.size()), MPI_BYTE, rankOf_[to.value],
                        tagFor(from, to, tag), MPI_COMM_WORLD, &requests_[slot]),
              "MPI_Isend");
        return static_cast<PostTicket>(slot);
    }

    PostTicket receive(DeviceId from, DeviceId to, std::uint32_t tag,
                       std::span<std::byte> bytes) override {
        const std::scoped_lock lock(mutex_);
        const std::size_t slot = freeSlot();
        check(MPI_Irecv(bytes.data(), sizeOf(bytes.size()), MPI_BYTE, rankOf_[from.value],
                        tagFor(from, to, tag), MPI_COMM_WORLD, &requests_[slot]),
              "MPI_Irecv");
        return static_cast<PostTicket>(slot);
    }

    bool hasEnded(PostTicket ticket) override {
        const std::scoped_lock lock(mutex_);
        const auto slot = static_cast<std::size_t>(ticket);
        int ended = 0;
        check(MPI_Test(&requests_[slot], &ended, MPI_STATUS_IGNORE), "MPI_Test");
        if (ended != 0) {
            free_.push_back(slot);
        }
        return ended != 0;
    }

private:
    static int sizeOf(std::size_t bytes) {
        ensure(bytes <= static_cast<std::size_t>(std::numeric_limits<int>::max()),
               "a message has less than two gigabytes");
        return static_cast<int>(bytes);
    }

    std::size_t freeSlot() {
        if (free_.empty()) {
            free_.push_back(requests_.size());
            requests_.push_back(MPI_REQUEST_NULL);
        }
        const std::size_t slot = free_.back();
        free_.pop_back();
        return slot;
    }

    /// Workers of one rank share its MPI rank, so the tag distinguishes them.
    [[nodiscard]] int tagFor(DeviceId from, DeviceId to, std::uint32_t tag) const {
        constexpr std::uint32_t range = 1U << 18U;
        return static_cast<int>(((tag % range) * perRank_ + localOf_[from.value]) * perRank_ +
                                localOf_[to.value]);
    }

    std::mutex& mutex_;
    std::vector<int> rankOf_;
    std::vector<std::uint32_t> localOf_;
    std::uint32_t perRank_ = 1;
    std::vector<MPI_Request> requests_;
    std::vector<std::size_t> free_;
};

class MpiCommunicator final : public Communicator {
public:
    explicit MpiCommunicator(MpiPostbox& postbox) : postbox_(postbox) {}
    [[nodiscard]] std::string name() const override { return "mpi"; }
    std::unique_ptr<Collective> prepare(const CollectiveRequest& request,
                                        DeviceId member) override {
        return makeMessageCollective(request, member, postbox_, request.number, aborted_);
    }
    void abort() override { aborted_.store(true); }

private:
    MpiPostbox& postbox_;
    std::atomic<bool> aborted_ = false;
};

class MpiWorld final : public World {
public:
    MpiWorld() : postbox_(mutex_), communicator_(postbox_) {
        int initialised = 0;
        MPI_Initialized(&initialised);
        if (initialised == 0) {
            openAside();
            int provided = 0;
            check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided),
                  "MPI_Init_thread");
            if (provided < MPI_THREAD_SERIALIZED) {
                throw Error(ErrorCode::peer, {},
                            "this MPI library allows calls from one thread only",
                            "use an MPI library built with MPI_THREAD_SERIALIZED or more");
            }
        }
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
        check(MPI_Comm_rank(MPI_COMM_WORLD, &rank_), "MPI_Comm_rank");
        check(MPI_Comm_size(MPI_COMM_WORLD, &ranks_), "MPI_Comm_size");
        host_ = hostName();
    }

    ~MpiWorld() override {
        // If a rank is gone, MPI_Finalize may wait for ever. The run's result has been written, so
        // the process exits without it.
        if (!failed_) {
            const std::scoped_lock lock(mutex_);
            MPI_Finalize();
        }
    }

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int ranks() const override { return ranks_; }
    [[nodiscard]] const std::string& host() const override { return host_; }
    [[nodiscard]] Communicator& communicator(const std::vector<int>& rankOf) override {
        postbox_.setDevices(rankOf);
        return communicator_;
    }

    void bringToFirst(int from, std::span<std::byte> bytes, std::chrono::seconds limit) override {
        if (from == 0 || (rank_ != 0 && rank_ != from)) {
            return;
        }
        MPI_Request request = MPI_REQUEST_NULL;
        {
            const std::scoped_lock lock(mutex_);
            const auto size = static_cast<int>(bytes.size());
            check(rank_ == 0 ? MPI_Irecv(bytes.data(), size, MPI_BYTE, from, partTag,
                                         MPI_COMM_WORLD, &request)
                             : MPI_Isend(bytes.data(), size, MPI_BYTE, 0, partTag, MPI_COMM_WORLD,
                                         &request),
                  "sending a part to rank 0");
        }
        waitFor(request, "a part of the checkpoint", limit);
    }

    void shareFromFirst(std::vector<std::byte>& bytes, std::chrono::seconds limit) override {
        std::uint64_t size = bytes.size();
        share(&size, sizeof(size), limit);
        bytes.resize(size);
        share(bytes.data(), size, limit);
    }

    void giveUp() override { failed_ = true; }

    void abort() override {
        aborted_.store(true);
        communicator_.abort();
    }

private:
    /// Above the tags of workers, which are below 2^18 times the square of the number of workers of
    /// a rank.
    static constexpr int partTag = 1 << 28;

    void share(void* data, std::size_t size, std::chrono::seconds limit) {
        MPI_Request request = MPI_REQUEST_NULL;
        {
            const std::scoped_lock lock(mutex_);
            check(MPI_Ibcast(data, static_cast<int>(size), MPI_BYTE, 0, MPI_COMM_WORLD, &request),
                  "MPI_Ibcast");
        }
        waitFor(request, "the broadcast from rank 0", limit);
    }

    void waitFor(MPI_Request& request, const char* name, std::chrono::seconds limit) {
        const Deadline deadline(limit);
        for (;;) {
            int ended = 0;
            {
                const std::scoped_lock lock(mutex_);
                check(MPI_Test(&request, &ended, MPI_STATUS_IGNORE), "MPI_Test");
            }
            if (ended != 0) {
                return;
            }
            if (aborted_.load()) {
                failed_ = true;
                throw Error(ErrorCode::stopped, Where{.op = name},
                            "the run was ended while this operation was waiting",
                            "look at the first failure of the run");
            }
            if (deadline.hasPassed()) {
                failed_ = true;
                throwTimeout(name, limit,
                             "see which rank stopped, and resume the run with weft resume");
            }
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
    }

    std::mutex mutex_;
    MpiPostbox postbox_;
    MpiCommunicator communicator_;
    int rank_ = 0;
    int ranks_ = 1;
    std::string host_;
    bool failed_ = false;
    std::atomic<bool> aborted_ = false;
};

} // namespace

std::unique_ptr<World> joinMpiWorld() { return std::make_unique<MpiWorld>(); }

} // namespace weft
