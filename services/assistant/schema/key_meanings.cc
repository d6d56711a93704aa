// Cosines of names and questions.
#include "services/assistant/schema/key_meanings.h"

#include <algorithm>
#include <numeric>

#include "services/assistant/schema/record_words.h"
#include "services/grounding/lexicon_text.h"

namespace emptor::services {
namespace {

/// Of questions whose attribute is known the nearest name is the right one in nine of ten cases
/// above it, and of questions that the record does not answer one in twelve has a name so near.
constexpr float kNear = 0.4F;

/// "Type" of "flashlight type", of flashlights; empty: the name of the type alone.
std::string WithoutType(const std::string& key, const std::string& type) {
  const std::vector<std::string> of_type = SplitWords(FoldedMessage(type).text());
  std::string rest;
  for (const std::string& word : SplitWords(FoldedMessage(key).text())) {
    const bool is_of_type =
        std::any_of(of_type.begin(), of_type.end(),
                    [&](const std::string& each) { return StemOf(each) == StemOf(word); });
    if (!is_of_type) rest += (rest.empty() ? "" : " ") + word;
  }
  return rest;
}

/// "Memory slots", where a slot for cards is asked for: the property of something else.
bool IsOfOther(const std::string& name, const std::vector<std::string>& asked) {
  const std::vector<std::string> words = SplitWords(name);
  const auto is_asked = [&](const std::string& word) {
    return std::any_of(asked.begin(), asked.end(),
                       [&](const std::string& each) { return StemOf(each) == StemOf(word); });
  };
  return words.size() > 1 && std::any_of(words.begin() + 1, words.end(), is_asked) &&
         !std::all_of(words.begin(), words.end(), is_asked);
}

float Cosine(std::span<const float> a, std::span<const float> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0F);
}

}  // namespace

absl::Status KeyMeanings::EmbedNew(std::span<const std::string> names) const {
  std::vector<std::string> texts;
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& name : names) {
      if (!name.empty() && !kept_.contains(name)) texts.push_back(name);
    }
  }
  if (texts.empty()) return absl::OkStatus();
  const auto size = static_cast<size_t>(embedder_->dimension());
  std::vector<float> vectors(texts.size() * size);
  if (absl::Status status = embedder_->EmbedInto(texts, vectors); !status.ok()) return status;
  const std::lock_guard lock(mutex_);
  if (kept_.size() + texts.size() > kMaxKept) kept_.clear();
  for (size_t i = 0; i < texts.size(); ++i) {
    const auto begin = vectors.begin() + static_cast<std::ptrdiff_t>(i * size);
    kept_.insert_or_assign(std::move(texts[i]),
                           Vector(begin, begin + static_cast<std::ptrdiff_t>(size)));
  }
  return absl::OkStatus();
}

std::optional<std::string> KeyMeanings::Find(const std::string& question,
                                             const catalog::Product& product,
                                             const std::string& type) const {
  if (embedder_ == nullptr || question.empty() || product.attributes.empty()) return std::nullopt;
  const std::vector<std::string> words = SplitWords(FoldedMessage(question).text());
  std::vector<std::string> names;  // empty: cannot be meant
  for (const catalog::Attribute& each : product.attributes) {
    std::string name = WithoutType(each.name, type);
    names.push_back(IsOfOther(name, words) ? std::string() : std::move(name));
  }
  Vector asked(static_cast<size_t>(embedder_->dimension()));
  if (!embedder_->EmbedQueryInto(question, asked).ok() || !EmbedNew(names).ok()) {
    return std::nullopt;
  }
  const std::lock_guard lock(mutex_);
  float nearest = kNear;
  std::optional<std::string> found;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto vector = kept_.find(names[i]);
    if (names[i].empty() || vector == kept_.end()) continue;
    const float cosine = Cosine(asked, vector->second);
    if (cosine < nearest) continue;
    nearest = cosine;
    found = product.attributes[i].name;
  }
  return found;
}

}  // namespace emptor::services
