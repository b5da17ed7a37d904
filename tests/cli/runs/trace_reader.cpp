// SPDX-License-Identifier: Apache-2.0
#include "trace_reader.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace weft::test {

namespace {

using Stream = std::pair<int, int>; ///< process and thread

struct Span {
    double begin = 0;
    double end = 0;
    QString name;
};

struct ReadTrace {
    std::set<int> namedProcesses;
    std::set<Stream> namedStreams;
    std::map<Stream, std::vector<Span>> streams;
    std::vector<qint64> steps; ///< in their order
};

// Microseconds with three digits: what is smaller is how numbers are written.
constexpr double slack = 1e-3;

QString take(const QJsonObject& event, ReadTrace& trace) {
    const QString phase = event["ph"].toString();
    const QString name = event["name"].toString();
    const Stream stream{event["pid"].toInt(-1), event["tid"].toInt(-1)};
    const QString named = event["args"]["name"].toString();
    if (phase == "M") {
        if (name == "process_name" && !named.isEmpty()) {
            trace.namedProcesses.insert(stream.first);
        } else if (name == "thread_name" && !named.isEmpty()) {
            trace.namedStreams.insert(stream);
        }
        return {};
    }
    const bool isWhole = phase == "X" && !name.isEmpty() && stream.first >= 0 &&
                         stream.second >= 0 && event["ts"].isDouble() &&
                         event["dur"].toDouble(-1) >= 0;
    if (!isWhole) {
        return "an event is none: " + QJsonDocument(event).toJson(QJsonDocument::Compact);
    }
    const double begin = event["ts"].toDouble();
    trace.streams[stream].push_back({begin, begin + event["dur"].toDouble(), name});
    if (event["cat"].toString() == "step") {
        trace.steps.push_back(event["args"]["step"].toInteger());
    }
    return {};
}

QString faultOfStream(std::vector<Span> spans) {
    std::ranges::stable_sort(spans, [](const Span& a, const Span& b) {
        return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<Span> open;
    for (const Span& span : spans) {
        while (!open.empty() && open.back().end <= span.begin + slack) {
            open.pop_back();
        }
        if (!open.empty() && span.end > open.back().end + slack) {
            return span.name + " reaches out of " + open.back().name;
        }
        open.push_back(span);
    }
    return {};
}

} // namespace

QString faultOfTrace(const QByteArray& trace, const std::set<qint64>& steps) {
    QJsonParseError error;
    const QJsonDocument document = QJsonDocument::fromJson(trace, &error);
    const QJsonArray events = document.object()["traceEvents"].toArray();
    if (error.error != QJsonParseError::NoError || events.isEmpty()) {
        return "it is no trace: " + error.errorString();
    }
    ReadTrace read;
    for (const auto& event : events) {
        if (QString fault = take(event.toObject(), read); !fault.isEmpty()) {
            return fault;
        }
    }
    for (const auto& [stream, spans] : read.streams) {
        const QString where = QString(" (%1, %2)").arg(stream.first).arg(stream.second);
        if (!read.namedProcesses.contains(stream.first) || !read.namedStreams.contains(stream)) {
            return "a stream has no name:" + where;
        }
        if (const QString fault = faultOfStream(spans); !fault.isEmpty()) {
            return fault + where;
        }
    }
    if (!std::ranges::equal(read.steps, steps)) {
        return QString("%1 steps have spans, %2 were recorded")
            .arg(read.steps.size())
            .arg(steps.size());
    }
    return {};
}

} // namespace weft::test
