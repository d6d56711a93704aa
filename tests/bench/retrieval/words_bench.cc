// Cost of the dictionary of a shop: building it, completing and rewriting queries.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "catalog/product.h"
#include "retrieval/segment/word_state_codec.h"
#include "retrieval/words/shop_words.h"

namespace emptor::retrieval {
namespace {

std::string MadeWord(std::mt19937& random) {
  constexpr std::string_view kConsonants = "bcdfghklmnprstvw";
  constexpr std::string_view kVowels = "aeiou";
  std::string word;
  for (size_t syllables = 2 + random() % 3; syllables > 0; --syllables) {
    word += kConsonants[random() % kConsonants.size()];
    word += kVowels[random() % kVowels.size()];
  }
  return word;
}

/// Titles of eight words; the r-th word of 20,000 is drawn with weight 1 / r.
struct MadeShop {
  ShopWords words{*Analyzer::Create()};
  std::vector<std::string> titles;

  explicit MadeShop(size_t products) {
    std::mt19937 random(1);
    std::vector<std::string> vocabulary;
    std::vector<double> weights;
    for (int r = 1; r <= 20000; ++r) {
      vocabulary.push_back(MadeWord(random));
      weights.push_back(1.0 / r);
    }
    std::discrete_distribution<size_t> draw(weights.begin(), weights.end());
    for (size_t i = 0; i < products; ++i) {
      catalog::Product product;
      product.id = std::to_string(i);
      for (int w = 0; w < 8; ++w) product.title += vocabulary[draw(random)] + " ";
      product.locale = "en";
      words.Put(product);
      titles.push_back(product.title);
    }
    words.WaitUntilCurrent();
  }
};

MadeShop& Shop(size_t products) {
  static auto* const shop = new MadeShop(products);
  return *shop;
}

/// A beginning of a title, every second one with a slip.
std::vector<std::string> Typed(const MadeShop& shop) {
  std::mt19937 random(2);
  std::vector<std::string> typed;
  for (int i = 0; i < 4096; ++i) {
    std::string text = shop.titles[random() % shop.titles.size()];
    text.resize(1 + random() % 24);
    if (i % 2 == 1) text[random() % text.size()] = static_cast<char>('a' + random() % 26);
    typed.push_back(std::move(text));
  }
  return typed;
}

void BM_Autocomplete(benchmark::State& state) {
  const MadeShop& shop = Shop(static_cast<size_t>(state.range(0)));
  const std::vector<std::string> typed = Typed(shop);
  const auto dictionary = shop.words.dictionary();
  std::vector<double> seconds;
  size_t next = 0;
  for (auto _ : state) {
    const auto begun = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(dictionary->Complete(typed[next++ % typed.size()], 8));
    seconds.push_back(
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count());
  }
  std::sort(seconds.begin(), seconds.end());
  state.counters["p99_ms"] = 1e3 * seconds[seconds.size() * 99 / 100];
  state.counters["book_s"] = shop.words.stats().last_seconds;
}
BENCHMARK(BM_Autocomplete)->Arg(100000);

void BM_RewriteMisspelled(benchmark::State& state) {
  const MadeShop& shop = Shop(static_cast<size_t>(state.range(0)));
  const std::vector<std::string> typed = Typed(shop);
  const auto dictionary = shop.words.dictionary();
  const auto synonyms = shop.words.synonyms();
  const auto known = [&](std::string_view term) {
    return static_cast<uint64_t>(dictionary->vocabulary().Find(term).has_value());
  };
  size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(
        dictionary->rewriter().Rewrite({.query = typed[next++ % typed.size()]}, *synonyms, known));
  }
}
BENCHMARK(BM_RewriteMisspelled)->Arg(100000);

/// From the bytes in the index file to a dictionary in use.
void BM_OpenWords(benchmark::State& state) {
  const std::string bytes =
      EncodeWordState(*Shop(static_cast<size_t>(state.range(0))).words.state());
  state.counters["bytes"] = static_cast<double>(bytes.size());
  double decoding = 0;
  for (auto _ : state) {
    const auto begun = std::chrono::steady_clock::now();
    auto decoded = DecodeWordState(bytes);
    ShopWords words(*Analyzer::Create());
    words.Restore(*std::move(decoded));
    decoding += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    words.WaitUntilCurrent();
  }
  state.counters["decode_s"] = decoding / static_cast<double>(state.iterations());
}
BENCHMARK(BM_OpenWords)->Arg(100000)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace emptor::retrieval
