// Sentences by intent, with references in place of facts.
#include "services/assistant/extractive.h"

#include <fmt/format.h>

#include <set>

#include "retrieval/query/query_tokens.h"
#include "services/grounding/record_text.h"
#include "services/grounding/text_clean.h"

namespace emptor::services {
namespace {

constexpr size_t kMaxProducts = 3;

struct Words {
  std::string_view greeting, not_found, price, joint, stop, rating;
};
constexpr Words kEnglish = {"Hello! What are you looking for today?",
                            "I could not find anything about that in this shop.",
                            ": ",
                            ", ",
                            ".",
                            "rated"};
constexpr Words kChinese = {
    "您好！您在找什么商品？", "抱歉，店里没有找到相关内容。", "：", "，", "。", "评价"};

std::set<std::string> WordsOf(std::string_view text) {
  std::set<std::string> words;
  for (const retrieval::QueryToken& token : retrieval::TokenizeQuery(CleanText(text))) {
    std::string word = token.text;
    if (word.size() > 3 && word.back() == 's') word.pop_back();
    if (token.kind != retrieval::QueryToken::Kind::kPunctuation && word.size() > 1)
      words.insert(word);
  }
  return words;
}

/// The attribute whose name shares most words with the question; empty when none shares any.
std::string NamedAttribute(const catalog::Product& product, const std::string& question) {
  std::set<std::string> asked = WordsOf(question);
  for (const std::string& word : WordsOf(product.title)) asked.erase(word);
  std::string best;
  size_t most = 0;
  for (const catalog::Attribute& attribute : product.attributes) {
    const std::string name = LowerCase(CleanText(attribute.name));
    if (IsLiveFactName(name)) continue;
    size_t shared = 0;
    for (const std::string& word : WordsOf(name)) shared += asked.count(word);
    if (shared > most) {
      most = shared;
      best = name;
    }
  }
  return best;
}

std::string ProductLine(size_t n, const catalog::Product& product, const Words& words,
                        const std::string& question) {
  std::string line = fmt::format("[{}:title]", n);
  std::string_view joint = words.price;
  const auto add = [&](const std::string& part) {
    line += std::string(joint) + part;
    joint = words.joint;
  };
  const std::string attribute = NamedAttribute(product, question);
  if (!attribute.empty()) add(fmt::format("{} [{}:attr.{}]", attribute, n, attribute));
  if (product.price) add(fmt::format("[{}:price]", n));
  add(fmt::format("[{}:availability]", n));
  if (product.rating && WordsOf(question).count("rated") + WordsOf(question).count("rating") > 0) {
    add(fmt::format("{} [{}:rating]", words.rating, n));
  }
  return line + fmt::format(" [{}]{}", n, words.stop);
}

}  // namespace

std::string WriteExtractiveAnswer(const Understanding& understanding,
                                  const std::vector<Source>& sources, const std::string& question) {
  const Words& words = understanding.language == "zh" ? kChinese : kEnglish;
  if (understanding.Has(Intent::kSmallTalk)) return std::string(words.greeting);
  std::string answer;
  size_t products = 0;
  for (size_t i = 0; i < sources.size(); ++i) {
    const catalog::Product* product = sources[i].product();
    std::string line;
    if (product != nullptr && ++products <= kMaxProducts) {
      line = ProductLine(i + 1, *product, words, question);
    } else if (product == nullptr && answer.empty()) {
      line = fmt::format("[{}:answer] [{}]", i + 1, i + 1);
    }
    if (line.empty()) continue;
    answer += answer.empty() ? line : "\n" + line;
  }
  return answer.empty() ? std::string(words.not_found) : answer;
}

}  // namespace emptor::services
