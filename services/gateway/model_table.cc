// One list of names for each replica.
#include "services/gateway/model_table.h"

#include <algorithm>
#include <map>
#include <utility>

#include "catalog/encoding/json.h"

namespace emptor::services {

ModelTable::ModelTable(const GatewayConfig& config) : names_(config.replicas.size()) {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (!config.replicas[i].models.empty()) names_[i] = config.replicas[i].models;
  }
}

void ModelTable::Set(size_t replica, std::vector<std::string> names) {
  const std::lock_guard lock(mutex_);
  names_[replica] = std::move(names);
}

void ModelTable::Forget(size_t replica) {
  const std::lock_guard lock(mutex_);
  names_[replica].reset();
}

uint64_t ModelTable::Serving(const std::string& model) const {
  const std::lock_guard lock(mutex_);
  uint64_t known = 0, unknown = 0;
  for (size_t i = 0; i < names_.size(); ++i) {
    const auto& names = names_[i];
    if (!names) {
      unknown |= uint64_t{1} << i;
    } else if (model.empty() ? !names->empty()
                             : std::find(names->begin(), names->end(), model) != names->end()) {
      known |= uint64_t{1} << i;
    }
  }
  return known != 0 ? known : unknown;
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
