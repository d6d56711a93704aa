// One list of names for each replica.
#include "services/gateway/model_table.h"

#include <algorithm>
#include <utility>

namespace emptor::services {

ModelTable::ModelTable(const std::vector<std::vector<std::string>>& configured)
    : names_(configured.size()) {
  for (size_t i = 0; i < configured.size(); ++i) {
    if (!configured[i].empty()) names_[i] = configured[i];
  }
}

void ModelTable::Set(size_t replica, std::vector<std::string> names) {
  const std::lock_guard lock(mutex_);
  names_[replica] = std::move(names);
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

std::map<std::string, int> ModelTable::List(uint64_t replicas) const {
  const std::lock_guard lock(mutex_);
  std::map<std::string, int> counts;
  for (size_t i = 0; i < names_.size(); ++i) {
    if ((replicas >> i & 1) == 0 || !names_[i]) continue;
    for (const std::string& name : *names_[i]) ++counts[name];
  }
  return counts;
}

}  // namespace emptor::services
