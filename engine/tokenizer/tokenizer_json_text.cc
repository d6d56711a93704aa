// "normalizer" and "pre_tokenizer" of a tokenizer.json.
#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/tokenizer/base64.h"
#include "engine/tokenizer/tokenizer_json_parts.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

using Kind = NormalizerStep::Kind;
constexpr std::string_view kMark = "\xe2\x96\x81";

std::string_view TypeOf(JsonFieldReader& reader, const JsonField& field) {
  return reader.Text(field, "type", "");
}

/// {"String": "..."} or {"Regex": "..."}: the text, and which of the two.
struct Pattern {
  std::string_view text;
  bool regex = false;
};
Pattern ReadPattern(JsonFieldReader& reader, const JsonField& field) {
  const std::optional<JsonField> pattern = reader.FindObject(field, "pattern");
  if (pattern && pattern->value.Find("String")) return {reader.Text(*pattern, "String", ""), false};
  if (pattern && pattern->value.Find("Regex")) return {reader.Text(*pattern, "Regex", ""), true};
  reader.Refuse(field.path + ".pattern", "expected a String or a Regex");
  return {};
}

void AddReplace(JsonFieldReader& reader, const JsonField& field,
                std::vector<NormalizerStep>& steps) {
  const Pattern pattern = ReadPattern(reader, field);
  const std::string with(reader.Text(field, "content", ""));
  if (!pattern.regex) {
    steps.push_back({Kind::kReplace, std::string(pattern.text), with});
  } else if (pattern.text == " {2,}") {
    steps.push_back({Kind::kReplaceBlanks, "", with});
  } else {
    reader.Unsupported(field.path + ".pattern.Regex",
                       fmt::format("expected \" {{2,}}\", found {:?}", pattern.text));
  }
}

void AddBert(JsonFieldReader& reader, const JsonField& field, std::vector<NormalizerStep>& steps) {
  BertTextRules rules;
  rules.clean = reader.Bool(field, "clean_text", true);
  rules.space_ideographs = reader.Bool(field, "handle_chinese_chars", true);
  rules.lowercase = reader.Bool(field, "lowercase", true);
  rules.strip_accents = reader.Bool(field, "strip_accents", rules.lowercase);
  for (NormalizerStep& step : BertNormalizerSteps(rules)) steps.push_back(std::move(step));
}

void AddPrecompiled(JsonFieldReader& reader, const JsonField& field,
                    std::vector<NormalizerStep>& steps) {
  std::optional<std::string> map = DecodeBase64(reader.Text(field, "precompiled_charsmap", ""));
  if (!map) return reader.Refuse(field.path + ".precompiled_charsmap", "expected base64");
  if (!map->empty()) steps.push_back({Kind::kPrecompiledCharsmap, std::move(*map), ""});
}

void AddNormalizer(JsonFieldReader& reader, const JsonField& field,
                   std::vector<NormalizerStep>& steps) {
  const std::string_view type = TypeOf(reader, field);
  constexpr std::pair<std::string_view, Kind> kPlain[] = {{"NFC", Kind::kNfc},
                                                          {"NFD", Kind::kNfd},
                                                          {"NFKC", Kind::kNfkc},
                                                          {"NFKD", Kind::kNfkd},
                                                          {"Lowercase", Kind::kLowercase},
                                                          {"StripAccents", Kind::kStripMarks}};
  for (const auto& [name, kind] : kPlain) {
    if (type == name) return steps.push_back({kind, "", ""});
  }
  if (type == "BertNormalizer") return AddBert(reader, field, steps);
  if (type == "Replace") return AddReplace(reader, field, steps);
  if (type == "Precompiled") return AddPrecompiled(reader, field, steps);
  if (type == "Prepend") {
    return steps.push_back({Kind::kPrepend, "", std::string(reader.Text(field, "prepend", ""))});
  }
  if (type == "Strip") {
    if (reader.Bool(field, "strip_left", true)) steps.push_back({Kind::kStripLeft, "", ""});
    if (reader.Bool(field, "strip_right", true)) steps.push_back({Kind::kStripRight, "", ""});
    return;
  }
  reader.Unsupported(field.path + ".type", fmt::format("unknown normalizer {:?}", type));
}

/// Whether a Split isolates every match as a word and keeps everything else.
bool Isolates(JsonFieldReader& reader, const JsonField& field, bool covers_all) {
  const std::string_view behavior = reader.Text(field, "behavior", "");
  const bool invert = reader.Bool(field, "invert", false);
  return (behavior == "Isolated" && !invert) || (behavior == "Removed" && invert && covers_all);
}

void AddSplit(JsonFieldReader& reader, const JsonField& field, std::vector<SplitRule>& stages) {
  const Pattern pattern = ReadPattern(reader, field);
  const std::optional<SplitRegex> known =
      pattern.regex ? FindSplitRegex(pattern.text) : std::nullopt;
  if (!known) {
    return reader.Unsupported(field.path + ".pattern",
                              fmt::format("unknown splitting rule {:?}", pattern.text));
  }
  if (!Isolates(reader, field, known->covers_all)) {
    return reader.Unsupported(field.path + ".behavior", "expected Isolated");
  }
  stages.push_back(known->rule);
}

/// A stage before ByteLevel.
void AddStage(JsonFieldReader& reader, const JsonField& field, std::vector<SplitRule>& stages) {
  const std::string_view type = TypeOf(reader, field);
  if (type == "Split") return AddSplit(reader, field, stages);
  if (type == "Digits") {
    return stages.push_back(NumbersRule(reader.Bool(field, "individual_digits", false)));
  }
  const std::string_view behavior = reader.Text(field, "behavior", "");
  if (type == "Punctuation" && (behavior == "Contiguous" || behavior == "Isolated")) {
    return stages.push_back(PunctuationRule(behavior == "Isolated"));
  }
  reader.Unsupported(field.path,
                     fmt::format("unknown pre-tokenizer {:?} together with ByteLevel", type));
}

/// Stages after ByteLevel see bytes as characters; the supported ones have the same effect on
/// bytes.
void AddByteStage(JsonFieldReader& reader, const JsonField& field, std::vector<SplitRule>& stages) {
  const std::string_view type = TypeOf(reader, field);
  if (type == "Digits" && !reader.Bool(field, "individual_digits", false)) {
    return stages.push_back(NumbersOfByteAlphabetRule());
  }
  if (type == "Split" && ReadPattern(reader, field).text == "[0-9][0-9][0-9]") {
    return AddSplit(reader, field, stages);
  }
  reader.Unsupported(field.path, fmt::format("unknown pre-tokenizer {:?} after ByteLevel", type));
}

void ReadByteLevel(JsonFieldReader& reader, const std::vector<JsonField>& leaves,
                   VocabularySpec& spec) {
  bool byte_level = false;
  for (const JsonField& leaf : leaves) {
    if (byte_level) {
      AddByteStage(reader, leaf, spec.text_rules->stages);
    } else if (TypeOf(reader, leaf) != "ByteLevel") {
      AddStage(reader, leaf, spec.text_rules->stages);
    } else {
      byte_level = true;
      spec.text_rules->blank_in_front = reader.Bool(leaf, "add_prefix_space", true);
      if (spec.text_rules->blank_in_front && &leaf != &leaves.front()) {
        reader.Unsupported(leaf.path + ".add_prefix_space", "expected false after a split");
      }
      if (reader.Bool(leaf, "use_regex", true)) {
        spec.text_rules->stages.push_back(SplitRules(PreTokenizer::kGpt2).front());
      }
    }
  }
}

void ReadMetaspace(JsonFieldReader& reader, const JsonField& field, TextRules& rules) {
  using Front = TextRules::MarkInFront;
  if (reader.Text(field, "replacement", kMark) != kMark) {
    return reader.Unsupported(field.path + ".replacement", "expected U+2581");
  }
  const bool split = reader.Bool(field, "split", true);
  rules.blanks = split ? TextRules::BlankMarks::kMarkedAndSplit : TextRules::BlankMarks::kMarked;
  const bool prefix = reader.Bool(field, "add_prefix_space", true);  // of old versions
  const std::string_view scheme = reader.Text(field, "prepend_scheme", prefix ? "always" : "never");
  if (scheme == "always") {
    rules.mark_in_front = Front::kAlways;
  } else if (scheme == "first") {
    rules.mark_in_front = Front::kFirst;
  } else if (scheme != "never") {
    reader.Unsupported(field.path + ".prepend_scheme",
                       fmt::format("expected always, first or never, found {:?}", scheme));
  }
}

/// A split at ' ' where the normalizer has left none.
bool SplitsNothing(JsonFieldReader& reader, const JsonField& field, const TextRules& rules) {
  if (TypeOf(reader, field) != "Split") return false;
  const Pattern pattern = ReadPattern(reader, field);
  return !pattern.regex && pattern.text == " " &&
         std::any_of(rules.normalizer.begin(), rules.normalizer.end(), [](const auto& step) {
           return step.kind == Kind::kReplace && step.what == " ";
         });
}

void ReadWords(JsonFieldReader& reader, const std::vector<JsonField>& leaves, TextRules& rules) {
  constexpr std::pair<std::string_view, WordSplit> kSplits[] = {
      {"BertPreTokenizer", WordSplit::kBert},
      {"WhitespaceSplit", WordSplit::kBlanks},
      {"Whitespace", WordSplit::kWordOrMarks}};
  for (const JsonField& leaf : leaves) {
    const std::string_view type = TypeOf(reader, leaf);
    const auto split = std::find_if(std::begin(kSplits), std::end(kSplits),
                                    [&](const auto& known) { return known.first == type; });
    const bool unmarked = rules.blanks == TextRules::BlankMarks::kNone;
    if (split != std::end(kSplits) && unmarked && rules.words == WordSplit::kNone) {
      rules.words = split->second;
    } else if (type == "Metaspace" && unmarked) {
      ReadMetaspace(reader, leaf, rules);
    } else if (!SplitsNothing(reader, leaf, rules)) {
      reader.Unsupported(leaf.path, fmt::format("unknown pre-tokenizer {:?} in this place", type));
    }
  }
}

}  // namespace

std::vector<JsonField> Leaves(JsonFieldReader& reader, const JsonField& root, std::string_view part,
                              std::string_view list_name) {
  std::vector<JsonField> leaves;
  std::vector<JsonField> open;  // the next one last
  if (const std::optional<JsonField> top = reader.FindObject(root, part)) open.push_back(*top);
  while (!open.empty() && reader.ok()) {
    const JsonField field = std::move(open.back());
    open.pop_back();
    if (!field.value.is_object()) {
      reader.Refuse(field.path, "expected an object");
    } else if (TypeOf(reader, field) != "Sequence") {
      leaves.push_back(field);
    } else if (const std::optional<JsonField> list = reader.FindArray(field, list_name)) {
      const std::vector<JsonView> items = list->value.Items();
      for (size_t i = items.size(); i-- > 0;) open.push_back(list->At(i, items[i]));
    } else {
      reader.Refuse(field.path + "." + std::string(list_name), "missing");
    }
  }
  return leaves;
}

void ReadTextRules(JsonFieldReader& reader, const JsonField& root, VocabularySpec& spec) {
  TextRules& rules = *spec.text_rules;
  for (const JsonField& leaf : Leaves(reader, root, "normalizer", "normalizers")) {
    AddNormalizer(reader, leaf, rules.normalizer);
  }
  const std::vector<JsonField> leaves = Leaves(reader, root, "pre_tokenizer", "pretokenizers");
  const bool byte_level = std::any_of(leaves.begin(), leaves.end(), [&](const JsonField& leaf) {
    return TypeOf(reader, leaf) == "ByteLevel";
  });
  if (!byte_level) {
    if (spec.kind == TokenizerKind::kByteLevelBpe) spec.kind = TokenizerKind::kSentencePiece;
    if (spec.kind == TokenizerKind::kSentencePiece && spec.pre_tokenizer.whole_words_first) {
      reader.Unsupported("model.ignore_merges", "expected false without ByteLevel");
    }
    ReadWords(reader, leaves, rules);
  } else if (spec.kind == TokenizerKind::kByteLevelBpe) {
    ReadByteLevel(reader, leaves, spec);
  } else {
    reader.Unsupported("pre_tokenizer", "ByteLevel with a model that is not BPE");
  }
  const absl::StatusOr<TextNormalizer> normalizer = TextNormalizer::Create(rules.normalizer);
  if (!normalizer.ok()) reader.Refuse("normalizer", std::string(normalizer.status().message()));
}

}  // namespace emptor::engine
