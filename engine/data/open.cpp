// SPDX-License-Identifier: Apache-2.0
#include "data/open.h"

#include "data/lists.h"
#include "data/split.h"
#include <weft/error.h>

#include <algorithm>

namespace weft {

namespace {

Data openWith(const DataSettings& settings, const DataFolders& folders, const SourceList& kinds,
              bool describe) {
    for (const Diagnostic& diagnostic : checkData(settings, kinds)) {
        if (diagnostic.severity == Severity::error) {
            throw Error(ErrorCode::design, {}, diagnostic.text, diagnostic.fix.text);
        }
    }
    const SourceKind& kind = *findSourceKind(kinds, settings.source);
    const Attributes attributes = completed(settings.attributes, kind.attributes);
    Data data = kind.open({.kind = kind,
                           .attributes = attributes,
                           .folders = folders,
                           .heldOut = settings.validation,
                           .describe = describe});
    if (!data.validation && settings.validation > 0) {
        HeldOut parts = holdOut(data.training, settings.validation);
        data.training = std::move(parts.training);
        data.validation = std::move(parts.validation);
    }
    return data;
}

} // namespace

SourceList sourceKinds() {
    SourceList kinds;
    sources::fill(kinds);
    generators::fill(kinds);
    return kinds;
}

const SourceKind* findSourceKind(const SourceList& kinds, std::string_view name) {
    const auto at = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const SourceKind& kind) { return kind.name == name; });
    return at == kinds.end() ? nullptr : &*at;
}

DataDescription describeData(const DataSettings& settings, const DataFolders& folders,
                             const SourceList& kinds) {
    const Data data = openWith(settings, folders, kinds, true);
    return {.fields = data.training->fields(),
            .classNames = data.classNames,
            .training = data.training->size(),
            .validation = data.validation ? data.validation->size() : 0,
            .test = data.test ? data.test->size() : 0};
}

Data openData(const DataSettings& settings, const DataFolders& folders, const SourceList& kinds) {
    return openWith(settings, folders, kinds, false);
}

} // namespace weft
