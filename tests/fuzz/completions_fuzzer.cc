// Any bytes in the search box of a small shop: completed and rewritten within bounds.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "catalog/product.h"
#include "retrieval/text/fold.h"
#include "retrieval/words/shop_words.h"

namespace {

using emptor::retrieval::Analyzer;
using emptor::retrieval::ShopWords;

const ShopWords& SmallShop() {
  static ShopWords* const words = [] {
    auto* made = new ShopWords(*Analyzer::Create());
    int n = 0;
    for (const char* title : {"Sony WH-1000XM5 headphones", "kitchen cabinet", "light bulb",
                              "Wasserkocher 1,7 l", "Kühlschrank", "无线耳机", "ワイヤレス"}) {
      emptor::catalog::Product product;
      product.id = "p" + std::to_string(n++);
      product.title = title;
      product.locale = n > 3 ? "de" : "en";
      made->Put(product);
    }
    made->WaitUntilCurrent();
    return made;
  }();
  return *words;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto dictionary = SmallShop().dictionary();
  const auto completions = dictionary->Complete(text, 5);
  if (completions.size() > 5) std::abort();
  for (const auto& completion : completions) {
    if (completion.text.empty() || !emptor::retrieval::IsValidUtf8(completion.text)) std::abort();
  }
  if (text.size() > 4096 || !emptor::retrieval::IsValidUtf8(text)) return 0;
  const auto rewritten = dictionary->rewriter().Rewrite(
      {.query = text}, *SmallShop().synonyms(),
      [](std::string_view term) { return static_cast<uint64_t>(term.size() % 3); });
  if (!emptor::retrieval::IsValidUtf8(rewritten.text)) std::abort();
  if (rewritten.corrections.empty() && rewritten.text != text) std::abort();
  for (const auto& expansion : rewritten.expansions) {
    if (expansion.term.empty() || !(expansion.factor > 0 && expansion.factor <= 1)) std::abort();
  }
  return 0;
}
