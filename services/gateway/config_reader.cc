// Values by their kinds.
#include "services/gateway/config_reader.h"

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace emptor::services {
namespace {

constexpr size_t kMaxText = 1024, kMaxTexts = 64, kMaxMistakes = 50;
constexpr int kDayMs = 24 * 3600 * 1000;

std::string Cut(const std::string& text) { return text.substr(0, 64); }

std::string ScalarOf(const YAML::Node& node) { return node.IsScalar() ? node.Scalar() : ""; }

/// The whole text as a number.
template <typename Value>
bool ReadNumber(const std::string& text, Value& value) {
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  return read.ec == std::errc() && read.ptr == end;
}

}  // namespace

std::string ConfigReader::Place(const YAML::Node& node, const std::string& where) const {
  return fmt::format("{}:{}{}{}", file_, std::max(1, node.Mark().line + 1),
                     where.empty() ? "" : ": ", where);
}

void ConfigReader::Fail(const YAML::Node& node, const std::string& where, const std::string& what) {
  if (mistakes_.size() >= kMaxMistakes) return;
  mistakes_.push_back(absl::InvalidArgumentError(Place(node, where) + ": " + what));
}

void ConfigReader::Expected(const YAML::Node& node, const std::string& where,
                            const std::string& kind) {
  const char* other = node.IsMap() ? "names with values" : node.IsNull() ? "nothing" : "a list";
  const std::string found = node.IsScalar() ? "\"" + Cut(node.Scalar()) + "\"" : other;
  Fail(node, where, "expected " + kind + ", found " + found);
}

void ConfigReader::Map(const YAML::Node& node, const std::string& where, const Members& members) {
  EachMember(node, where, [&](const YAML::Node& key, const YAML::Node& value) {
    const std::string path = where.empty() ? key.Scalar() : where + "." + key.Scalar();
    for (const auto& [name, take] : members) {
      if (name == key.Scalar()) return take(value, path);
    }
    std::vector<std::string_view> names;
    for (const auto& member : members) names.push_back(member.first);
    Fail(key, where,
         fmt::format("there is no \"{}\"; allowed: {}", Cut(key.Scalar()), fmt::join(names, ", ")));
  });
}

void ConfigReader::EachMember(
    const YAML::Node& node, const std::string& where,
    const std::function<void(const YAML::Node&, const YAML::Node&)>& take) {
  if (!node.IsMap()) return Expected(node, where, "names with values");
  std::set<std::string> seen;
  for (const auto& each : node) {
    if (!each.first.IsScalar()) {
      Fail(each.first, where, "expected a name");
    } else if (!seen.insert(each.first.Scalar()).second) {
      Fail(each.first, where, "\"" + Cut(each.first.Scalar()) + "\" is there twice");
    } else {
      take(each.first, each.second);
    }
  }
}

ConfigReader::Take ConfigReader::Text(std::string& out, bool may_be_empty) {
  return [this, &out, may_be_empty](const YAML::Node& node, const std::string& where) {
    if (!node.IsScalar()) return Expected(node, where, "a text");
    if (node.Scalar().size() > kMaxText) return Fail(node, where, "is too long");
    if (node.Scalar().empty() && !may_be_empty) return Fail(node, where, "must not be empty");
    out = node.Scalar();
  };
}

ConfigReader::Take ConfigReader::OneOf(std::vector<std::string> values, std::string& out) {
  return
      [this, values = std::move(values), &out](const YAML::Node& node, const std::string& where) {
        const bool is_one = node.IsScalar() &&
                            std::find(values.begin(), values.end(), node.Scalar()) != values.end();
        if (!is_one)
          return Expected(node, where, fmt::format("one of {}", fmt::join(values, ", ")));
        out = node.Scalar();
      };
}

ConfigReader::Take ConfigReader::Number(double low, double high, double& out) {
  return [this, low, high, &out](const YAML::Node& node, const std::string& where) {
    double value = 0;
    if (!ReadNumber(ScalarOf(node), value) || !(value >= low) || !(value <= high)) {
      return Expected(node, where, fmt::format("a number from {:g} to {:g}", low, high));
    }
    out = value;
  };
}

bool ConfigReader::ReadWhole(const YAML::Node& node, const std::string& where, int low, int high,
                             int64_t& value) {
  if (ReadNumber(ScalarOf(node), value) && value >= low && value <= high) return true;
  Expected(node, where, fmt::format("a whole number from {} to {}", low, high));
  return false;
}

ConfigReader::Take ConfigReader::Time(int low_ms, std::chrono::milliseconds& out) {
  return [this, low_ms, &out](const YAML::Node& node, const std::string& where) {
    int64_t value = 0;
    if (ReadWhole(node, where, low_ms, kDayMs, value)) out = std::chrono::milliseconds(value);
  };
}

ConfigReader::Take ConfigReader::Flag(bool& out) {
  return [this, &out](const YAML::Node& node, const std::string& where) {
    const std::string text = ScalarOf(node);
    if (text != "true" && text != "false") return Expected(node, where, "true or false");
    out = text == "true";
  };
}

ConfigReader::Take ConfigReader::Texts(std::vector<std::string>& out) {
  return [this, &out](const YAML::Node& node, const std::string& where) {
    if (!node.IsSequence() || node.size() > kMaxTexts) {
      return Expected(node, where, "a list of texts");
    }
    for (const YAML::Node& each : node) Text(out.emplace_back(), false)(each, where);
  };
}

}  // namespace emptor::services
