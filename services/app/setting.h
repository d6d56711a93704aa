// One setting: its name, type, range and meaning, and the member that holds its value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "services/models/model_spec.h"

namespace emptor::services {

/// Describes the setting `name` of an `Owner`: Config, EmbedderSettings, GeneratorSettings,
/// ModelSpec or AdapterSpec. A plain value.
template <typename Owner>
struct Setting {
  using Member = std::variant<int Owner::*, bool Owner::*, std::string Owner::*, ModelKind Owner::*,
                              std::optional<std::string> Owner::*, std::optional<bool> Owner::*,
                              std::vector<std::string> Owner::*,
                              std::optional<std::vector<std::string>> Owner::*,
                              std::vector<ModelSpec> Owner::*, std::vector<AdapterSpec> Owner::*>;

  std::string_view name;
  Member member;
  /// Sentences. The first one without its full stop is what --help shows.
  std::string_view meaning;
  int low = 0, high = 0;  // of a whole number
  /// The values that are allowed, of a text, a kind or a whole number. Of a bool: how true and
  /// false are written.
  std::vector<std::string_view> choices = {};
  /// What the documents show as default in place of the value of Owner{}.
  std::string_view default_text = "";
  /// What the documents show as type in place of one made from member, range and choices.
  std::string_view type_text = "";
  /// What the sample file shows where the default is no value that can be written down. Empty: the
  /// first choice, the least number, or an empty text or list.
  std::string_view example = "";
  /// A further check of a text, or of each text of a list. Null: none. Returns what is expected, or
  /// nothing where the text is good.
  std::string_view (*check)(const std::string& text) = nullptr;
};

/// Sets the setting from text. Errors: kInvalidArgument, beginning with `where`.
template <typename Owner>
absl::Status SetSetting(const Setting<Owner>& setting, const std::string& text,
                        const std::string& where, Owner& owner);

/// Sets a setting that is a list of texts. REQUIRES: IsList. Errors: as SetSetting.
template <typename Owner>
absl::Status SetListSetting(const Setting<Owner>& setting, std::vector<std::string> texts,
                            const std::string& where, Owner& owner);

template <typename Owner>
bool IsList(const Setting<Owner>& setting) {
  return std::holds_alternative<std::vector<std::string> Owner::*>(setting.member) ||
         std::holds_alternative<std::optional<std::vector<std::string>> Owner::*>(setting.member);
}

/// The value as a YAML file has it: "8080", "[https://a, https://b]"; empty for an empty text.
template <typename Owner>
std::string ValueText(const Setting<Owner>& setting, const Owner& owner);

/// "whole number, 1 to 64", "`flag`, `off` or `quarantine`", "text", "list of texts".
template <typename Owner>
std::string TypeText(const Setting<Owner>& setting);

/// `default_text`, or the value of Owner{}.
template <typename Owner>
std::string DefaultText(const Setting<Owner>& setting);

/// "a", "a or b", "a, b or c".
std::string AnyOf(const std::vector<std::string_view>& choices);

/// "unknown setting", and the name of `names` that `name` was probably meant to be.
absl::Status UnknownSetting(std::string_view name, const std::vector<std::string_view>& names,
                            const std::string& where);

}  // namespace emptor::services
