// SPDX-License-Identifier: Apache-2.0
#include "support/servers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pwd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <QStandardPaths>
#include <cstdint>

namespace weft::test {

namespace {

sockaddr_in addressOf(int port, const char* host) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    ::inet_pton(AF_INET, host, &address.sin_addr);
    return address;
}

} // namespace

int freePort() {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address = addressOf(0, "127.0.0.1");
    socklen_t length = sizeof address;
    const bool isBound = bind(socket, reinterpret_cast<sockaddr*>(&address), length) == 0 &&
                         getsockname(socket, reinterpret_cast<sockaddr*>(&address), &length) == 0;
    close(socket);
    return isBound ? ntohs(address.sin_port) : 0;
}

bool isListenedOn(int port, const QString& address) {
    const int socket = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const sockaddr_in there = addressOf(port, address.toLatin1());
    const bool is = connect(socket, reinterpret_cast<const sockaddr*>(&there), sizeof there) == 0;
    close(socket);
    return is;
}

QString serverNamed(const QString& name) {
    const QString program = QStandardPaths::findExecutable(name);
    return program.isEmpty()
               ? QStandardPaths::findExecutable(name, {"/usr/sbin", "/usr/local/sbin", "/sbin"})
               : program;
}

QString userName() {
    const passwd* user = ::getpwuid(::geteuid());
    return user != nullptr ? QString::fromLocal8Bit(user->pw_name) : QString();
}

} // namespace weft::test
