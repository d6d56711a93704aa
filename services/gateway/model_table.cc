// One list of names for each replica.
#include "services/gateway/model_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/encoding/json.h"

namespace emptor::services {

ModelTable::ModelTable(const GatewayConfig& config)
    : configured_(config.replicas.size()),
      names_(config.replicas.size()),
      taken_(config.replicas.size()) {
  for (size_t i = 0; i < names_.size(); ++i) {
    const ReplicaConfig& replica = config.replicas[i];
    configured_[i] = !replica.models.empty();
    if (configured_[i]) names_[i] = replica.models;
    taken_[i] = replica.dns.empty();
  }
}

bool ModelTable::Set(size_t replica, std::vector<std::string> names) {
  const std::lock_guard lock(mutex_);
  if (!taken_[replica] || names_[replica] == names) return false;
  names_[replica] = std::move(names);
  return true;
}

void ModelTable::Seat(size_t replica, bool is_taken) {
  const std::lock_guard lock(mutex_);
  taken_[replica] = is_taken;
  if (!configured_[replica]) names_[replica].reset();
}

uint64_t ModelTable::Serving(const std::string& model) const {
  const std::lock_guard lock(mutex_);
  uint64_t known = 0, unknown = 0, free = 0;
  bool has_list = false;
  for (size_t i = 0; i < names_.size(); ++i) {
    const uint64_t bit = uint64_t{1} << i;
    const auto& names = names_[i];
    if (!names) {
      (taken_[i] ? unknown : free) |= bit;
      continue;
    }
    has_list = has_list || !configured_[i];
    const bool serves = model.empty()
                            ? !names->empty()
                            : std::find(names->begin(), names->end(), model) != names->end();
    if (serves) known |= bit;
  }
  if (known != 0) return known;
  return has_list ? unknown : unknown | free;
}

std::string ModelTable::ListJson(uint64_t replicas) const {
  std::map<std::string, int> counts;
  const std::lock_guard lock(mutex_);
  for (size_t i = 0; i < names_.size(); ++i) {
    if ((replicas >> i & 1) == 0 || !names_[i]) continue;
    for (const std::string& name : *names_[i]) ++counts[name];
  }
  catalog::JsonWriter writer;
  writer.BeginObject().Member("object", "list").Key("data").BeginArray();
  for (const auto& [name, count] : counts) {
    writer.BeginObject().Member("id", name).Member("object", "model").Member("created", 0);
    writer.Member("owned_by", "emptor").Member("replicas", count).EndObject();
  }
  writer.EndArray().EndObject();
  return writer.Take();
}

}  // namespace emptor::services
