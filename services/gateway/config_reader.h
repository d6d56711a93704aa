// Reads a YAML file strictly: every mistake is kept, with its line.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"

namespace YAML {
class Node;
}

namespace emptor::services {

/// What is read goes to the variables that are named; a value that is wrong leaves its variable as
/// it was. Thread-safety: one thread.
class ConfigReader {
 public:
  using Take = std::function<void(const YAML::Node& value, const std::string& where)>;
  using Members = std::vector<std::pair<std::string_view, Take>>;

  /// `file` is named in messages, and outlives the reader.
  explicit ConfigReader(std::string_view file) : file_(file) {}

  /// kInvalidArgument, in the order of the file: `gateway.yaml:7: limits.waiting: expected a whole
  /// number from 0 to 100000, found "many"`.
  const std::vector<absl::Status>& mistakes() const { return mistakes_; }

  /// "gateway.yaml:7: limits.waiting".
  std::string Place(const YAML::Node& node, const std::string& where) const;
  void Fail(const YAML::Node& node, const std::string& where, const std::string& what);
  /// Fails by what was found.
  void Expected(const YAML::Node& node, const std::string& where, const std::string& kind);

  /// Calls what is given for each name; another name is a mistake.
  void Map(const YAML::Node& node, const std::string& where, const Members& members);
  /// Members of any name, none twice.
  void EachMember(const YAML::Node& node, const std::string& where,
                  const std::function<void(const YAML::Node&, const YAML::Node&)>& take);

  Take Text(std::string& out, bool may_be_empty = true);
  Take OneOf(std::vector<std::string> values, std::string& out);
  Take Number(double low, double high, double& out);
  Take Time(int low_ms, std::chrono::milliseconds& out);
  Take Flag(bool& out);
  Take Texts(std::vector<std::string>& out);
  template <typename Integer>
  Take Whole(int low, int high, Integer& out) {
    return [this, low, high, &out](const YAML::Node& node, const std::string& where) {
      int64_t value = 0;
      if (ReadWhole(node, where, low, high, value)) out = static_cast<Integer>(value);
    };
  }

 private:
  bool ReadWhole(const YAML::Node& node, const std::string& where, int low, int high,
                 int64_t& value);

  const std::string_view file_;
  std::vector<absl::Status> mistakes_;
};

}  // namespace emptor::services
