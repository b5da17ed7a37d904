// SPDX-License-Identifier: Apache-2.0
#include "place/place.h"

#include "place/place_tables.h"
#include "place/placer.h"
#include <weft/error.h>

namespace weft {

std::shared_ptr<PlaceTables> makePlaceTables(const MachineSheet& machine) {
    return std::make_shared<PlaceTables>(machine.withinProcess);
}

PlacementResult place(std::shared_ptr<const Graph> graph, const OpList& ops,
                      const PlacementRequest& request) {
    ensure(!request.devices.empty(), "a plan is made for at least one device");
    const auto tables = request.tables ? request.tables : makePlaceTables(request.machine);
    return Placer(std::move(graph), ops, request, *tables).run();
}

PlacementResult place(const Graph& graph, const OpList& ops, const PlacementRequest& request) {
    return place(std::make_shared<const Graph>(graph), ops, request);
}

std::vector<SlotPlacement> slotHomesOf(const Plan& plan) {
    std::vector<SlotPlacement> homes;
    for (const SlotHome& home : plan.slots) {
        const Placed& placed = plan.at(home.home);
        homes.push_back({plan.graph->at(home.slot).name, plan.at(placed.mesh), placed.placements});
    }
    return homes;
}

} // namespace weft
