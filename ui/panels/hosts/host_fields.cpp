// SPDX-License-Identifier: Apache-2.0
#include "panels/hosts/host_fields.h"

#include <QCoreApplication>
#include <QRegularExpression>
#include <QStringList>
#include <algorithm>
#include <cmath>
#include <limits>

namespace weft::ui {

namespace {

constexpr double bytesInUnit = 1e3;

QString tr(const char* text) { return QCoreApplication::translate("hosts", text); }

std::string textIn(const AttributeValue& value) {
    return QString::fromStdString(std::get<std::string>(value)).trimmed().toStdString();
}

AttributeValue joined(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words) {
        list << QString::fromStdString(word);
    }
    return list.join(QStringLiteral(", ")).toStdString();
}

std::vector<std::string> split(const std::string& text) {
    static const QRegularExpression between(QStringLiteral("[,\\s]+"));
    std::vector<std::string> words;
    for (const QString& word : QString::fromStdString(text).split(between, Qt::SkipEmptyParts)) {
        words.push_back(word.toStdString());
    }
    return words;
}

AttributeSpec specOf(const QString& name, AttributeValue fallback, const QString& help,
                     const QString& unit = {}) {
    AttributeSpec spec;
    spec.name = name.toStdString();
    spec.defaultValue = std::move(fallback);
    spec.help = help.toStdString();
    spec.unit = unit.toStdString();
    return spec;
}

bool isAny(const Host&) { return true; }
bool isByMpirun(const Host& host) { return host.start == JobStart::mpirun; }
bool isInQueue(const Host& host) { return host.start == JobStart::slurm; }

/// Fields for the connection to the host and its folders.
std::vector<HostField> fieldsOfThePlace() {
    const Host plain;
    return {{"name", specOf(tr("Name"), std::string(), tr("Your name for the host.")),
             [](const Host& host) -> AttributeValue { return host.name; },
             [](Host& host, const AttributeValue& value) { host.name = textIn(value); }, isAny},
            {"via",
             specOf(tr("Command"), defaultCommand(tr("NAME").toStdString()),
                    tr("Runs its last argument as a shell command on the host and connects the "
                       "input and output of that command: ssh cluster, docker exec -i box sh -c.")),
             [](const Host& host) -> AttributeValue { return host.via; },
             [](Host& host, const AttributeValue& value) { host.via = textIn(value); }, isAny},
            {"folder",
             specOf(tr("Run folder"), plain.folder,
                    tr("Folder for runs on the host. A relative path starts in your home folder.")),
             [](const Host& host) -> AttributeValue { return host.folder; },
             [](Host& host, const AttributeValue& value) { host.folder = textIn(value); }, isAny},
            {"program",
             specOf(tr("Program"), plain.program,
                    tr("Path of weft on the host: weft, ~/weft/bin/weft.")),
             [](const Host& host) -> AttributeValue { return host.program; },
             [](Host& host, const AttributeValue& value) { host.program = textIn(value); }, isAny}};
}

/// Fields for starting jobs and their limits.
std::vector<HostField> fieldsOfJobs() {
    const Host plain;
    std::vector<HostField> fields{
        {"start",
         specOf(tr("Jobs start"), std::string(nameOf(plain.start)),
                tr("How a run is started on the host.")),
         [](const Host& host) -> AttributeValue { return std::string(nameOf(host.start)); },
         [](Host& host, const AttributeValue& value) {
             host.start = jobStartNamed(std::get<std::string>(value));
         },
         isAny},
        {"machines",
         specOf(tr("Machines"), std::string(),
                tr("Machines on which mpirun starts ranks, by their names on the host: n1, n2.")),
         [](const Host& host) { return joined(host.machines); },
         [](Host& host, const AttributeValue& value) { host.machines = split(textIn(value)); },
         isByMpirun},
        {"partition",
         specOf(tr("Partition"), std::string(), tr("Slurm's partition; empty: the default.")),
         [](const Host& host) -> AttributeValue { return host.partition; },
         [](Host& host, const AttributeValue& value) { host.partition = textIn(value); },
         isInQueue},
        {"account", specOf(tr("Account"), std::string(), tr("Slurm's account, if you have one.")),
         [](const Host& host) -> AttributeValue { return host.account; },
         [](Host& host, const AttributeValue& value) { host.account = textIn(value); }, isInQueue},
        {"minutes",
         specOf(tr("Time limit"), std::int64_t{plain.minutes},
                tr("Time limit of a job in the queue."), tr("min")),
         [](const Host& host) -> AttributeValue { return std::int64_t{host.minutes}; },
         [](Host& host, const AttributeValue& value) {
             constexpr std::int64_t most = std::numeric_limits<int>::max();
             host.minutes =
                 static_cast<int>(std::clamp(std::get<std::int64_t>(value), -most, most));
         },
         isInQueue}};
    for (const JobStart start : {JobStart::here, JobStart::mpirun, JobStart::slurm}) {
        fields.front().spec.choices.emplace_back(nameOf(start));
    }
    return fields;
}

HostField fieldOfTheLine() {
    return {"limit",
            specOf(tr("Rate limit"), 0.0,
                   tr("Largest rate at which data is received from the host; 0: no limit."),
                   tr("kB/s")),
            [](const Host& host) -> AttributeValue {
                return static_cast<double>(host.bytesPerSecond) / bytesInUnit;
            },
            [](Host& host, const AttributeValue& value) {
                constexpr double most = 1e15;
                host.bytesPerSecond =
                    std::llround(std::clamp(std::get<double>(value) * bytesInUnit, -most, most));
            },
            isAny};
}

} // namespace

std::vector<HostField> hostFields() {
    std::vector<HostField> fields = fieldsOfThePlace();
    for (HostField& field : fieldsOfJobs()) {
        fields.push_back(std::move(field));
    }
    fields.push_back(fieldOfTheLine());
    return fields;
}

std::string defaultCommand(const std::string& name) { return "ssh " + name; }

} // namespace weft::ui
