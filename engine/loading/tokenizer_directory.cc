// Finds and reads the files.
#include "engine/loading/tokenizer_directory.h"

#include <string_view>
#include <utility>

#include "engine/json/json_tree.h"
#include "engine/loading/json_file.h"
#include "engine/tensor/file_image.h"
#include "engine/tokenizer/json_fields.h"
#include "engine/tokenizer/tokenizer_json.h"
#include "fmt/format.h"

namespace emptor::engine {
namespace {

constexpr size_t kMaxTokenizerBytes = 64u << 20;
constexpr JsonLimits kConfigLimits = {.max_bytes = 16u << 20};

std::string_view AsText(const AlignedBuffer& image) {
  return {reinterpret_cast<const char*>(image.data()), image.size()};
}

absl::StatusOr<BertTextRules> ReadRules(const std::string& path) {
  BertTextRules rules;
  const absl::StatusOr<JsonTree> tree = ReadJsonFile(path, kConfigLimits);
  if (absl::IsNotFound(tree.status())) return rules;
  if (!tree.ok()) return tree.status();
  JsonFieldReader reader(path);
  const JsonField root = {"", tree->root()};
  rules.lowercase = reader.Bool(root, "do_lower_case", true);
  rules.strip_accents = reader.Bool(root, "strip_accents", rules.lowercase);
  rules.space_ideographs = reader.Bool(root, "tokenize_chinese_chars", true);
  if (!reader.ok()) return reader.status();
  return rules;
}

}  // namespace

absl::StatusOr<VocabularySpec> ReadTokenizerDirectory(const std::string& directory) {
  const std::string json = directory + "/tokenizer.json";
  const absl::StatusOr<AlignedBuffer> image = ReadFileImage(json, kMaxTokenizerBytes);
  if (image.ok()) return ParseTokenizerJson(AsText(*image), json);
  if (!absl::IsNotFound(image.status())) return image.status();
  const std::string list = directory + "/vocab.txt";
  const absl::StatusOr<AlignedBuffer> lines = ReadFileImage(list, kMaxTokenizerBytes);
  if (absl::IsNotFound(lines.status())) {
    return absl::NotFoundError(directory + ": neither tokenizer.json nor vocab.txt");
  }
  if (!lines.ok()) return lines.status();
  const absl::StatusOr<BertTextRules> rules = ReadRules(directory + "/tokenizer_config.json");
  if (!rules.ok()) return rules.status();
  return ParseWordPieceVocabulary(AsText(*lines), *rules, list);
}

absl::StatusOr<std::unique_ptr<const Tokenizer>> LoadTokenizer(const std::string& directory) {
  absl::StatusOr<VocabularySpec> spec = ReadTokenizerDirectory(directory);
  if (!spec.ok()) return spec.status();
  absl::StatusOr<std::unique_ptr<const Tokenizer>> tokenizer = Tokenizer::Create(*std::move(spec));
  if (tokenizer.ok()) return tokenizer;
  return absl::Status(tokenizer.status().code(),
                      fmt::format("{}: {}", directory, std::string(tokenizer.status().message())));
}

}  // namespace emptor::engine
