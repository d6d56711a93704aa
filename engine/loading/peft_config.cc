// Every member that is not known must be off.
#include "engine/loading/peft_config.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr JsonLimits kLimits = {.max_bytes = 1u << 20, .max_nodes = 1u << 16};
constexpr int kMaxRank = 1024;
constexpr double kMaxAlpha = 1e6;

/// Members that say nothing about the numbers: where the adapter comes from, how it was trained,
/// which modules it was put on (the tensors say that too).
constexpr std::array<std::string_view, 19> kIgnored = {"auto_mapping",
                                                       "base_model_name_or_path",
                                                       "ensure_weight_tying",
                                                       "eva_config",
                                                       "exclude_modules",
                                                       "inference_mode",
                                                       "layers_pattern",
                                                       "layers_to_transform",
                                                       "lora_dropout",
                                                       "megatron_core",
                                                       "peft_version",
                                                       "qalora_group_size",
                                                       "r",
                                                       "rank_pattern",
                                                       "alpha_pattern",
                                                       "lora_alpha",
                                                       "revision",
                                                       "runtime_config",
                                                       "target_modules"};

/// PEFT's ways to begin with A and B that leave the weights of the base model as they are.
constexpr std::array<std::string_view, 3> kPlainBeginnings = {"gaussian", "eva", "orthogonal"};

template <typename List>
bool Contains(const List& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool IsOff(JsonView value) {
  if (value.is_null()) return true;
  if (value.is_bool()) return !value.as_bool();
  return (value.is_array() || value.is_object()) && value.size() == 0;
}

/// A value in a message.
std::string Shown(JsonView value) {
  if (value.is_string()) return fmt::format("{:?}", std::string(value.as_string().substr(0, 64)));
  if (value.is_bool()) return value.as_bool() ? "true" : "false";
  return std::string(DescribeKind(value.kind()));
}

/// PEFT takes a key of a pattern as a regular expression that matches the end of a module's name,
/// from a dot on. Of these only names are taken.
std::string_view PatternName(std::string_view key) {
  if (key.starts_with('^')) key.remove_prefix(1);
  if (key.ends_with('$')) key.remove_suffix(1);
  return key;
}

bool IsName(std::string_view key) {
  const std::string_view name = PatternName(key);
  const auto is_plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_plain);
}

bool Matches(std::string_view key, std::string_view module) {
  const std::string_view name = PatternName(key);
  if (module == name) return true;
  return !key.starts_with('^') && module.size() > name.size() && module.ends_with(name) &&
         module[module.size() - name.size() - 1] == '.';
}

/// The first value whose key matches, else `fallback`.
template <typename T, typename Pattern>
T Find(const Pattern& pattern, std::string_view module, T fallback) {
  for (const auto& [key, value] : pattern) {
    if (Matches(key, module)) return value;
  }
  return fallback;
}

}  // namespace

/// Reads members and keeps the first error.
class PeftConfigReader {
 public:
  PeftConfigReader(JsonView root, std::string name) : root_(root) {
    config_.name_ = std::move(name);
  }

  absl::StatusOr<PeftConfig> Read() {
    if (!root_.is_object()) Fail("root", "expected an object");
    CheckWord("peft_type", {"LORA"}, /*required=*/true);
    CheckWord("task_type", {"CAUSAL_LM"}, /*required=*/false);
    CheckWord("bias", {"none"}, /*required=*/false);
    CheckBeginning();
    CheckRest();
    config_.rank_ = Integer("r", root_.Find("r"));
    config_.alpha_ = Number("lora_alpha", root_.Find("lora_alpha"));
    const auto rslora = root_.Find("use_rslora");
    if (rslora && !rslora->is_bool() && !rslora->is_null())
      Fail("use_rslora", "expected a boolean");
    config_.rslora_ = rslora && rslora->is_bool() && rslora->as_bool();
    const auto base = root_.Find("base_model_name_or_path");
    if (base && base->is_string()) config_.base_model_ = base->as_string().substr(0, 512);
    ReadPattern("rank_pattern", [&](const std::string& key, JsonView value) {
      config_.ranks_.emplace_back(key, Integer("rank_pattern", value));
    });
    ReadPattern("alpha_pattern", [&](const std::string& key, JsonView value) {
      config_.alphas_.emplace_back(key, Number("alpha_pattern", value));
    });
    if (!status_.ok()) return status_;
    return std::move(config_);
  }

 private:
  void Fail(std::string_view field, std::string_view what) {
    if (!status_.ok()) return;
    status_ = absl::InvalidArgumentError(fmt::format("{}: {}: {}", config_.name_, field, what));
  }
  void Unsupported(std::string_view field, const std::string& what) {
    if (!status_.ok()) return;
    status_ = absl::UnimplementedError(fmt::format("{}: {}: {}", config_.name_, field, what));
  }

  void CheckWord(const char* field, std::initializer_list<std::string_view> words, bool required) {
    const auto found = root_.Find(field);
    if (!found || found->is_null()) {
      if (required) Fail(field, "missing");
    } else if (!found->is_string() || !Contains(words, found->as_string())) {
      Unsupported(field, fmt::format("expected {}, found {}", *words.begin(), Shown(*found)));
    }
  }

  void CheckBeginning() {
    const auto found = root_.Find("init_lora_weights");
    if (!found || found->is_null() || found->is_bool()) return;
    if (found->is_string() && Contains(kPlainBeginnings, found->as_string())) return;
    Unsupported("init_lora_weights",
                fmt::format("found {}, which changes the weights of the base model too; save the "
                            "adapter with path_initial_model_for_weight_conversion",
                            Shown(*found)));
  }

  void CheckRest() {
    if (!status_.ok()) return;
    root_.ForEachMember([&](std::string_view name, JsonView value) {
      const bool read = name == "peft_type" || name == "task_type" || name == "bias" ||
                        name == "init_lora_weights" || name == "use_rslora";
      if (read || Contains(kIgnored, name) || IsOff(value)) return;
      Unsupported(name.substr(0, 128), name == "use_dora"
                                           ? "DoRA is not supported"
                                           : fmt::format("not supported, found {}", Shown(value)));
    });
  }

  int Integer(const char* field, std::optional<JsonView> value) {
    if (!value || !value->is_int() || value->as_int() < 1 || value->as_int() > kMaxRank) {
      Fail(field, fmt::format("expected a rank from 1 to {}, found {}", kMaxRank,
                              value && value->is_int() ? std::to_string(value->as_int())
                              : value                  ? Shown(*value)
                                                       : "nothing"));
      return 1;
    }
    return static_cast<int>(value->as_int());
  }

  double Number(const char* field, std::optional<JsonView> value) {
    if (!value || !value->is_number() || std::fabs(value->as_double()) > kMaxAlpha) {
      Fail(field, fmt::format("expected a number of at most {:g}, found {}", kMaxAlpha,
                              value ? Shown(*value) : "nothing"));
      return 0;
    }
    return value->as_double();
  }

  template <typename Fn>
  void ReadPattern(const char* field, Fn fn) {
    const auto found = root_.Find(field);
    if (!found || found->is_null()) return;
    if (!found->is_object()) return Fail(field, "expected an object");
    found->ForEachMember([&](std::string_view key, JsonView value) {
      if (!IsName(key)) {
        return Unsupported(field, fmt::format("expected names of modules, found {:?}",
                                              std::string(key.substr(0, 128))));
      }
      fn(std::string(key), value);
    });
  }

  JsonView root_;
  PeftConfig config_;
  absl::Status status_;
};

absl::StatusOr<PeftConfig> PeftConfig::Parse(std::string_view text, const std::string& name) {
  const absl::StatusOr<JsonTree> tree = JsonTree::Parse(text, kLimits);
  if (!tree.ok()) {
    return absl::Status(tree.status().code(),
                        fmt::format("{}: {}", name, std::string(tree.status().message())));
  }
  return PeftConfigReader(tree->root(), name).Read();
}

absl::StatusOr<double> PeftConfig::ScaleOf(std::string_view module, int rank) const {
  const int expected = Find(ranks_, module, rank_);
  if (rank != expected) {
    return absl::InvalidArgumentError(fmt::format("{}: {}: expected rank {}, found {} in the file",
                                                  name_, module, expected, rank));
  }
  const double alpha = Find(alphas_, module, alpha_);
  return alpha / (rslora_ ? std::sqrt(double(rank)) : double(rank));
}

}  // namespace emptor::engine
