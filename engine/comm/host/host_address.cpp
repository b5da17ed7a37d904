// SPDX-License-Identifier: Apache-2.0
#include "comm/host/host_address.h"

#include "base/process/waiting.h"
#include "comm/host/proof.h"
#include <weft/error.h>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>

namespace weft {

namespace {

struct Address {
    sockaddr_storage bytes = {};
    socklen_t size = 0;
    [[nodiscard]] const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&bytes); }
};

/// An abstract address, so that no file is left when the process is gone.
Address unixAddress(std::string_view name) {
    Address address;
    auto* it = reinterpret_cast<sockaddr_un*>(&address.bytes);
    it->sun_family = AF_UNIX;
    const std::size_t length = std::min(name.size(), sizeof(it->sun_path) - 1);
    std::memcpy(it->sun_path + 1, name.data(), length);
    address.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
    return address;
}

std::optional<Address> tcpAddress(std::string_view text) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        return std::nullopt;
    }
    Address address;
    auto* it = reinterpret_cast<sockaddr_in*>(&address.bytes);
    it->sin_family = AF_INET;
    std::uint16_t port = 0;
    std::from_chars(text.data() + colon + 1, text.data() + text.size(), port);
    it->sin_port = htons(port);
    address.size = sizeof(sockaddr_in);
    const std::string host(text.substr(0, colon));
    return inet_pton(AF_INET, host.c_str(), &it->sin_addr) == 1 ? std::optional(address)
                                                                : std::nullopt;
}

std::optional<Address> addressFrom(std::string_view text) {
    if (text.starts_with("unix:")) {
        return unixAddress(text.substr(5));
    }
    return text.starts_with("tcp:") ? tcpAddress(text.substr(4)) : std::nullopt;
}

FileHandle socketOf(int family) {
    return FileHandle(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
}

FileHandle listenAt(const Address& address) {
    FileHandle socket = socketOf(address.bytes.ss_family);
    constexpr int waiting = 1024;
    const bool listens = socket.isOpen() &&
                         ::bind(socket.get(), address.get(), address.size) == 0 &&
                         ::listen(socket.get(), waiting) == 0;
    return listens ? std::move(socket) : FileHandle();
}

/// Returns the addresses at which other hosts may reach this one.
std::vector<std::string> ownAddresses() {
    std::vector<std::string> addresses;
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0) {
        return addresses;
    }
    for (const ifaddrs* one = list; one != nullptr; one = one->ifa_next) {
        const bool isOurs = one->ifa_addr != nullptr && one->ifa_addr->sa_family == AF_INET &&
                            (one->ifa_flags & IFF_LOOPBACK) == 0 && (one->ifa_flags & IFF_UP) != 0;
        std::array<char, INET_ADDRSTRLEN> text{};
        if (isOurs &&
            inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in*>(one->ifa_addr)->sin_addr,
                      text.data(), text.size()) != nullptr) {
            addresses.emplace_back(text.data());
        }
    }
    ::freeifaddrs(list);
    return addresses;
}

void openTcp(HostListener& door) {
    Address any;
    auto* it = reinterpret_cast<sockaddr_in*>(&any.bytes);
    it->sin_family = AF_INET;
    it->sin_addr.s_addr = htonl(INADDR_ANY);
    any.size = sizeof(sockaddr_in);
    FileHandle socket = listenAt(any);
    Address bound;
    bound.size = sizeof(bound.bytes);
    if (!socket.isOpen() ||
        ::getsockname(socket.get(), reinterpret_cast<sockaddr*>(&bound.bytes), &bound.size) != 0) {
        return;
    }
    const int port = ntohs(reinterpret_cast<const sockaddr_in*>(&bound.bytes)->sin_port);
    for (const std::string& host : ownAddresses()) {
        door.address += fmt::format("{}tcp:{}:{}", door.address.empty() ? "" : ",", host, port);
    }
    door.sockets.push_back(std::move(socket));
}

/// Tries once. The handle is not open if nobody answers.
FileHandle tryConnect(const Address& address, std::chrono::milliseconds limit) {
    FileHandle socket = socketOf(address.bytes.ss_family);
    if (!socket.isOpen()) {
        return {};
    }
    if (::connect(socket.get(), address.get(), address.size) != 0) {
        if (errno != EINPROGRESS) {
            return {};
        }
        pollfd look{socket.get(), POLLOUT, 0};
        int error = 0;
        socklen_t size = sizeof(error);
        if (::poll(&look, 1, static_cast<int>(limit.count())) != 1 ||
            ::getsockopt(socket.get(), SOL_SOCKET, SO_ERROR, &error, &size) != 0 || error != 0) {
            return {};
        }
    }
    const int on = 1;
    ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    return socket;
}

} // namespace

HostListener openHostListener(bool isAcrossHosts) {
    HostListener door;
    const std::string name = "weft-" + textOf(drawSecret());
    if (FileHandle socket = listenAt(unixAddress(name)); socket.isOpen()) {
        door.sockets.push_back(std::move(socket));
        door.address = "unix:" + name;
    }
    if (isAcrossHosts) {
        openTcp(door);
    }
    if (door.sockets.empty()) {
        throw Error(ErrorCode::peer, {},
                    std::string("cannot open a socket for the ranks of the run: ") +
                        std::strerror(errno),
                    "raise the limit on open files (ulimit -n)");
    }
    return door;
}

FileHandle acceptFrom(int listening) {
    FileHandle socket(::accept4(listening, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (socket.isOpen()) {
        const int on = 1;
        ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    }
    return socket;
}

FileHandle connectTo(const std::string& address, std::chrono::milliseconds limit) {
    const Deadline deadline(limit);
    std::string_view rest = address;
    while (!rest.empty() && !deadline.hasPassed()) {
        const auto comma = rest.find(',');
        if (const auto one = addressFrom(rest.substr(0, comma))) {
            const auto left =
                std::chrono::duration_cast<std::chrono::milliseconds>(deadline.left());
            FileHandle socket = tryConnect(*one, left);
            if (socket.isOpen()) {
                return socket;
            }
        }
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
    }
    throw Error(ErrorCode::peer, {}, "the launcher of the run does not answer at " + address,
                "check that the launcher is running, and that no firewall blocks connections "
                "between ranks");
}

} // namespace weft
