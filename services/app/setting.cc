// Reading, checking and printing the value of a setting.
#include "services/app/setting.h"

#include <algorithm>
#include <charconv>
#include <type_traits>
#include <utility>

#include "fmt/format.h"
#include "retrieval/words/edit_distance.h"
#include "services/app/config.h"

namespace emptor::services {
namespace {

constexpr const char* kModelKinds[] = {"llm", "encoder"};

absl::Status Expected(const std::string& where, std::string_view expected,
                      const std::string& found) {
  return absl::InvalidArgumentError(
      fmt::format("{}: expected {}, found \"{}\"", where, expected, found));
}

bool IsOneOf(const std::vector<std::string_view>& choices, const std::string& text) {
  return std::find(choices.begin(), choices.end(), text) != choices.end();
}

template <typename Owner>
absl::Status Set(const Setting<Owner>& setting, int Owner::*member, const std::string& text,
                 const std::string& where, Owner& owner) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  const bool is_number = read.ec == std::errc() && read.ptr == end;
  if (!setting.choices.empty() && !IsOneOf(setting.choices, text)) {
    return Expected(where, AnyOf(setting.choices), text);
  }
  if (!is_number || value < setting.low || value > setting.high) {
    return Expected(where, fmt::format("a whole number from {} to {}", setting.low, setting.high),
                    text);
  }
  owner.*member = value;
  return absl::OkStatus();
}

/// A bool, with or without the state "not set".
template <typename Owner, typename Bool>
requires(std::is_same_v<Bool, bool> || std::is_same_v<Bool, std::optional<bool>>) absl::Status
    Set(const Setting<Owner>& setting, Bool Owner::*member, const std::string& text,
        const std::string& where, Owner& owner) {
  if (!IsOneOf(setting.choices, text)) return Expected(where, AnyOf(setting.choices), text);
  owner.*member = text == setting.choices[0];
  return absl::OkStatus();
}

template <typename Owner>
absl::Status Set(const Setting<Owner>& setting, ModelKind Owner::*member, const std::string& text,
                 const std::string& where, Owner& owner) {
  if (!IsOneOf(setting.choices, text)) return Expected(where, AnyOf(setting.choices), text);
  owner.*member = text == kModelKinds[0] ? ModelKind::kLanguageModel : ModelKind::kEncoder;
  return absl::OkStatus();
}

template <typename Owner, typename List>
requires(std::is_same_v<List, std::vector<std::string>> ||
         std::is_same_v<List, std::optional<std::vector<std::string>>> ||
         std::is_same_v<List, std::vector<ModelSpec>> ||
         std::is_same_v<List, std::vector<AdapterSpec>>) absl::Status
    Set(const Setting<Owner>&, List Owner::*, const std::string&, const std::string& where,
        Owner&) {
  return absl::InvalidArgumentError(where + ": expected a list");
}

/// A text, with or without the state "not set".
template <typename Owner, typename Text>
requires(std::is_same_v<Text, std::string> ||
         std::is_same_v<Text, std::optional<std::string>>) absl::Status
    Set(const Setting<Owner>& setting, Text Owner::*member, const std::string& text,
        const std::string& where, Owner& owner) {
  if (!setting.choices.empty() && !IsOneOf(setting.choices, text)) {
    return Expected(where, AnyOf(setting.choices), text);
  }
  const std::string_view expected = setting.check == nullptr ? "" : setting.check(text);
  if (!expected.empty()) return Expected(where, expected, text);
  owner.*member = text;
  return absl::OkStatus();
}

std::string Text(int value) { return std::to_string(value); }
std::string Text(const std::string& value) { return value; }
std::string Text(const std::optional<std::string>& value) { return value.value_or(""); }
std::string Text(ModelKind kind) { return kModelKinds[kind == ModelKind::kEncoder ? 1 : 0]; }
std::string Text(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return "[" + text + "]";
}
std::string Text(const std::optional<std::vector<std::string>>& values) {
  return values ? Text(*values) : "";
}
/// The names of models or adapters.
template <typename Spec>
requires(std::is_same_v<Spec, ModelSpec> || std::is_same_v<Spec, AdapterSpec>) std::string
    Text(const std::vector<Spec>& specs) {
  std::vector<std::string> names;
  for (const Spec& spec : specs) names.push_back(spec.name);
  return Text(names);
}

}  // namespace

template <typename Owner>
absl::Status SetSetting(const Setting<Owner>& setting, const std::string& text,
                        const std::string& where, Owner& owner) {
  return std::visit([&](auto member) { return Set(setting, member, text, where, owner); },
                    setting.member);
}

template <typename Owner>
absl::Status SetListSetting(const Setting<Owner>& setting, std::vector<std::string> texts,
                            const std::string& where, Owner& owner) {
  for (const std::string& text : texts) {
    const std::string_view expected = setting.check == nullptr ? "" : setting.check(text);
    if (!expected.empty()) return Expected(where, expected, text);
  }
  using List = std::vector<std::string>;
  if (const auto* member = std::get_if<List Owner::*>(&setting.member)) {
    owner.** member = std::move(texts);
  } else {
    owner.*std::get<std::optional<List> Owner::*>(setting.member) = std::move(texts);
  }
  return absl::OkStatus();
}

template <typename Owner>
std::string ValueText(const Setting<Owner>& setting, const Owner& owner) {
  return std::visit(
      [&](auto member) -> std::string {
        if constexpr (std::is_same_v<decltype(member), bool Owner::*>) {
          return std::string(setting.choices[owner.*member ? 0 : 1]);
        } else if constexpr (std::is_same_v<decltype(member), std::optional<bool> Owner::*>) {
          return owner.*member ? std::string(setting.choices[*(owner.*member) ? 0 : 1]) : "";
        } else {
          return Text(owner.*member);
        }
      },
      setting.member);
}

template <typename Owner>
std::string TypeText(const Setting<Owner>& setting) {
  if (!setting.type_text.empty()) return std::string(setting.type_text);
  if (!setting.choices.empty()) {
    std::vector<std::string> quoted;
    for (const std::string_view choice : setting.choices) {
      quoted.push_back(fmt::format("`{}`", choice));
    }
    return AnyOf({quoted.begin(), quoted.end()});
  }
  if (IsList(setting)) return "list of texts";
  if (!std::holds_alternative<int Owner::*>(setting.member)) return "text";
  return fmt::format("whole number, {} to {}", setting.low, setting.high);
}

template <typename Owner>
std::string DefaultText(const Setting<Owner>& setting) {
  if (!setting.default_text.empty()) return std::string(setting.default_text);
  return ValueText(setting, Owner{});
}

std::string AnyOf(const std::vector<std::string_view>& choices) {
  std::string text;
  for (size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i];
  }
  return text;
}

absl::Status UnknownSetting(std::string_view name, const std::vector<std::string_view>& names,
                            const std::string& where) {
  std::string_view nearest;
  int distance = std::max(2, static_cast<int>(name.size()) / 2) + 1;  // beyond what is proposed
  for (const std::string_view other : names) {
    const int edits = retrieval::EditDistance(name, other, distance - 1);
    if (edits >= distance) continue;
    distance = edits;
    nearest = other;
  }
  return absl::InvalidArgumentError(
      where + ": unknown setting" +
      (nearest.empty() ? std::string() : fmt::format(" (did you mean {}?)", nearest)));
}

#define EMPTOR_SETTINGS_OF(Owner)                                                                 \
  template absl::Status SetSetting(const Setting<Owner>&, const std::string&, const std::string&, \
                                   Owner&);                                                       \
  template absl::Status SetListSetting(const Setting<Owner>&, std::vector<std::string>,           \
                                       const std::string&, Owner&);                               \
  template std::string ValueText(const Setting<Owner>&, const Owner&);                            \
  template std::string TypeText(const Setting<Owner>&);                                           \
  template std::string DefaultText(const Setting<Owner>&)

EMPTOR_SETTINGS_OF(Config);
EMPTOR_SETTINGS_OF(EmbedderSettings);
EMPTOR_SETTINGS_OF(GeneratorSettings);
EMPTOR_SETTINGS_OF(ModelSpec);
EMPTOR_SETTINGS_OF(AdapterSpec);

}  // namespace emptor::services
