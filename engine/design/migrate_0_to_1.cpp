// SPDX-License-Identifier: Apache-2.0
// Version 0 was the draft before the first release. Its layers were "nodes" {id, name, type,
// params, x, y}, its wires "edges": lists ["conv1.y", "relu1.x"], and its training a "solver"
// {type, base_lr, momentum, weight_decay, max_iter, random_seed}. What is not named here kept its
// name.

#include "design/migrate.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>

namespace weft {

namespace {

// Under its new name, at the place where the old one stood.
void rename(Json& object, std::string_view from, const std::string& to) {
    Json renamed = Json::object();
    auto& members = renamed.get_ref<Json::object_t&>();
    for (const auto& [key, value] : object.items()) {
        static_cast<Json::object_t::Container&>(members).emplace_back(key == from ? to : key,
                                                                      std::move(value));
    }
    object = std::move(renamed);
}

void renameIfFree(Json& object, std::string_view from, const std::string& to) {
    if (object.contains(from) && !object.contains(to)) {
        rename(object, from, to);
    }
}

void migrateNode(Json& node) {
    if (!node.is_object()) {
        return;
    }
    renameIfFree(node, "type", "kind");
    renameIfFree(node, "params", "with");
    if (node.contains("x") && node.contains("y") && node["x"].is_number() &&
        node["y"].is_number() && !node.contains("at")) {
        node["at"] = Json::array({node["x"], node["y"]});
        node.erase("x");
        node.erase("y");
    }
}

void migrateEdge(Json& edge) {
    if (edge.is_array() && edge.size() == 2 && edge[0].is_string() && edge[1].is_string()) {
        edge = edge[0].get<std::string>() + " -> " + edge[1].get<std::string>();
    }
}

void move(Json& from, std::string_view key, Json& to, const std::string& name) {
    if (const auto found = from.find(key); found != from.end()) {
        Json value = std::move(*found);
        from.erase(found);
        to[name] = std::move(value);
    }
}

void migrateSolver(Json& document) {
    if (!document["solver"].is_object()) {
        return;
    }
    Json& solver = document["solver"];
    Json optimizer = Json::object();
    move(solver, "type", optimizer, "kind");
    Json with = Json::object();
    move(solver, "momentum", with, "momentum");
    move(solver, "weight_decay", with, "weight_decay");
    if (!with.empty()) {
        optimizer["with"] = std::move(with);
    }
    if (!optimizer.contains("kind") && !optimizer.empty()) {
        optimizer["kind"] = "sgd";
    }
    if (!optimizer.empty()) {
        solver["optimizer"] = std::move(optimizer);
    }
    move(solver, "base_lr", solver, "learning_rate");
    move(solver, "max_iter", solver, "steps");
    move(solver, "random_seed", solver, "seed");
    rename(document, "solver", "training");
}

} // namespace

void migrate0To1(Json& document) {
    renameIfFree(document, "nodes", "layers");
    renameIfFree(document, "edges", "wires");
    for (const char* list : {"layers", "wires"}) {
        if (document.contains(list) && document[list].is_array()) {
            for (Json& entry : document[list]) {
                list == std::string_view("layers") ? migrateNode(entry) : migrateEdge(entry);
            }
        }
    }
    if (document.contains("solver") && !document.contains("training")) {
        migrateSolver(document);
    }
}

} // namespace weft
