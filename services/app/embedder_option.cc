// Names to members.
#include "services/app/embedder_option.h"

#include <fmt/format.h>

#include <map>

#include "services/app/integer_setting.h"

namespace emptor::services {
namespace {

absl::Status SetChoice(const std::string& yes, const std::string& no, const std::string& text,
                       const std::string& where, bool& out) {
  if (text != yes && text != no) {
    return absl::InvalidArgumentError(
        fmt::format("{}: expected {} or {}, found {:?}", where, yes, no, text));
  }
  out = text == yes;
  return absl::OkStatus();
}

}  // namespace

absl::Status SetEmbedderOption(const std::string& name, const std::string& text,
                               const std::string& where, EmbedderSettings& settings) {
  using Settings = EmbedderSettings;
  static const std::map<std::string, IntegerSetting<Settings>> kIntegers = {
      {"threads", {&Settings::threads, 0, 256}},
      {"dimension", {&Settings::dimension, 1, 1 << 16}},
      {"batch", {&Settings::batch, 1, 2048}},
      {"attempts", {&Settings::attempts, 1, 20}},
      {"timeout_ms", {&Settings::timeout_ms, 1, 600000}},
      {"query_timeout_ms", {&Settings::query_timeout_ms, 1, 60000}}};
  static const std::map<std::string, std::string Settings::*> kTexts = {
      {"weights", &Settings::weights},
      {"model", &Settings::model},
      {"key_env", &Settings::key_env},
      {"key_file", &Settings::key_file}};
  if (const auto found = kIntegers.find(name); found != kIntegers.end()) {
    return SetInteger(found->second, text, where, settings);
  }
  if (const auto found = kTexts.find(name); found != kTexts.end()) {
    settings.*found->second = text;
  } else if (name == "query_prefix") {
    settings.query_prefix = text;
  } else if (name == "passage_prefix") {
    settings.passage_prefix = text;
  } else if (name == "encoding") {
    return SetChoice("base64", "float", text, where, settings.base64);
  } else if (name == "send_dimension") {
    return SetChoice("true", "false", text, where, settings.send_dimension);
  } else if (name == "send_input_type") {
    return SetChoice("true", "false", text, where, settings.send_input_type);
  } else if (name == "when_changed") {
    return SetChoice("embed", "refuse", text, where, settings.embed_when_changed);
  } else {
    return absl::InvalidArgumentError(where + ": unknown setting");
  }
  return absl::OkStatus();
}

}  // namespace emptor::services
