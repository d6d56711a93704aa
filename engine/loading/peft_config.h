// adapter_config.json of a PEFT folder.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "engine/json/json_tree.h"

namespace emptor::engine {

/// What PEFT's configuration says of the scale of each module.
class PeftConfig {
 public:
  /// Errors: as JsonTree::Parse; kInvalidArgument (a member of another type or out of range),
  /// kUnimplemented (DoRA, biases, saved modules, initialisations that change the base model, and
  /// every other feature that is on; names it). Messages begin with `name`.
  static absl::StatusOr<PeftConfig> Parse(std::string_view text, const std::string& name);

  /// Of a module such as "model.layers.0.self_attn.q_proj" whose matrices have this rank.
  /// Errors: kInvalidArgument (the configuration says another rank).
  absl::StatusOr<double> ScaleOf(std::string_view module, int rank) const;

  const std::string& base_model() const { return base_model_; }
  int rank() const { return rank_; }
  double alpha() const { return alpha_; }
  bool rslora() const { return rslora_; }

 private:
  friend class PeftConfigReader;
  template <typename T>
  using Pattern = std::vector<std::pair<std::string, T>>;  // in the order of the file

  std::string name_, base_model_;
  int rank_ = 0;
  double alpha_ = 0;
  bool rslora_ = false;
  Pattern<int> ranks_;
  Pattern<double> alphas_;
};

}  // namespace emptor::engine
