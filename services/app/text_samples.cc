// Sums and counts under their names.
#include "services/app/text_samples.h"

namespace emptor::services {
namespace {

void AddCounts(const char* name, const char* help, std::vector<TextCounters::Count> counts,
               std::vector<Sample>& samples) {
  for (TextCounters::Count& count : counts) {
    samples.push_back(
        {name, help, true, static_cast<double>(count.value), std::move(count.labels)});
  }
}

}  // namespace

void TextSums::Add(const ShopReader& shop) {
  const DocumentStats more = shop.document_stats();
  documents.passages += more.passages;
  documents.bytes += more.bytes;
  const retrieval::ShopWords::Stats of_shop = shop.word_stats();
  words.records += of_shop.records;
  words.words += of_shop.words;
  words.completions_asked += of_shop.completions_asked;
  words.dictionaries += of_shop.dictionaries;
  words.bytes += of_shop.bytes;
}

std::vector<Sample> TextSamples(const TextSums& sums, const TextCounters& counters) {
  const auto value = [](auto number) { return static_cast<double>(number); };
  std::vector<Sample> samples = {
      {"emptor_documents_passages", "Passages of documents that are searched", false,
       value(sums.documents.passages)},
      {"emptor_documents_bytes", "Text of these passages", false, value(sums.documents.bytes)},
      {"emptor_words", "Words that searches are corrected and completed with", false,
       value(sums.words.words)},
      {"emptor_words_records", "Products whose words are known", false, value(sums.words.records)},
      {"emptor_words_queries", "Queries that are proposed", false,
       value(sums.words.completions_asked)},
      {"emptor_words_bytes", "Memory that words take", false, value(sums.words.bytes)},
      {"emptor_words_books_total", "Times that the dictionary was built", true,
       value(sums.words.dictionaries)},
  };
  AddCounts("emptor_screen_records_total", "Records that were screened, by policy and result",
            counters.records(), samples);
  AddCounts("emptor_screen_findings_total", "What the screen found, by policy and rule",
            counters.findings(), samples);
  AddCounts("emptor_documents_refused_total", "Files that became no document, by reason",
            counters.refused_documents(), samples);
  return samples;
}

}  // namespace emptor::services
