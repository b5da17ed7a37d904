// SPDX-License-Identifier: Apache-2.0
#include "workspace/open_designs.h"

#include "runs/run_owner.h"
#include <weft/design_file.h>

#include <QFileInfo>
#include <algorithm>

namespace weft::ui {

namespace {

/// Hash of the layers only, since a run may use other devices, data and steps.
std::uint64_t layersOf(const Design& design) {
    Design bare;
    bare.network = design.network;
    bare.groups = design.groups;
    return fingerprint(bare);
}

} // namespace

OpenDesign::OpenDesign(Kinds kinds, PreviewQueue& previewQueue, QObject* parent)
    : QObject(parent),
      document_(std::move(kinds)),
      selection_(document_),
      check_(document_, previewQueue) {}

void OpenDesign::recordRunStart() { runNetworkHashes_.insert(layersOf(document_.design())); }

bool OpenDesign::owns(const RunHub& run) const {
    if (!run.isOpen()) {
        return false;
    }
    OwnsInputs inputs{document_.revision(), runNetworkHashes_.size(), run.attempts().size(),
                      document_.file(), run.folder()};
    if (inputs != ownsInputs_) {
        ownsInputs_ = std::move(inputs);
        const bool isItsFile = !document_.file().isEmpty() &&
                               QFileInfo(document_.file()).absolutePath() == run.folder();
        owns_ = isItsFile || hasMostLayersOfRun(run.design(), document_.design()) ||
                (!runNetworkHashes_.empty() && runNetworkHashes_.contains(layersOf(run.design())));
    }
    return owns_;
}

OpenDesigns::~OpenDesigns() { disconnect(); }

OpenDesign& OpenDesigns::add(std::unique_ptr<OpenDesign> design) {
    OpenDesign& added = *all_.emplace_back(std::move(design));
    emit this->added(&added);
    return added;
}

void OpenDesigns::setCurrent(OpenDesign* design) {
    if (design == current_) {
        return;
    }
    current_ = design;
    emit currentChanged();
}

void OpenDesigns::close(OpenDesign& design) {
    const auto at = std::ranges::find(all_, &design, &std::unique_ptr<OpenDesign>::get);
    if (at == all_.end()) {
        return;
    }
    if (current_ == &design) {
        const auto place = static_cast<std::size_t>(at - all_.begin());
        setCurrent(all_.size() < 2 ? nullptr : all_[place > 0 ? place - 1 : 1].get());
    }
    emit closing(&design);
    all_.erase(std::ranges::find(all_, &design, &std::unique_ptr<OpenDesign>::get));
}

OpenDesign* OpenDesigns::withFile(const QString& file) const {
    const QString path = QFileInfo(file).absoluteFilePath();
    for (const auto& design : all_) {
        if (design->document().file() == path) {
            return design.get();
        }
    }
    return nullptr;
}

} // namespace weft::ui
