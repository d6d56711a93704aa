// One pass over the vocabulary.
#include "engine/sampling/token_table.h"

#include <utility>

namespace emptor::engine {

TokenTable::TokenTable(std::vector<std::string> bytes, std::vector<int32_t> ends)
    : bytes_(std::move(bytes)), ends_(std::move(ends)) {
  for (size_t i = 0; i < bytes_.size(); ++i) {
    if (bytes_[i].empty()) continue;
    const auto token = static_cast<int32_t>(i);
    by_first_[static_cast<unsigned char>(bytes_[i][0])].push_back(token);
    if (bytes_[i].find('[') != std::string::npos) with_bracket_.push_back(token);
  }
}

}  // namespace emptor::engine
