// The terms of an index in byte order, front-coded, each with its document frequency.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace emptor::retrieval {

/// The number and location of a term's postings.
struct TermEntry {
  uint32_t document_frequency = 0;
  uint16_t max_impact = 0;
  uint64_t list = 0;       // offset in the section of lists
  uint64_t positions = 0;  // offset in the section of positions
  uint64_t list_bytes = 0;
  uint64_t positions_bytes = 0;
};

class TermIterator;

/// A view of the dictionary's bytes. Thread-safety: const methods. Lifetime: of the bytes.
/// Blocks of kTermsPerBlock terms: the offsets of the block's first lists, then for each term how
/// many bytes it shares with the one before, the others, and its entry.
class TermDictionary {
 public:
  static constexpr uint32_t kTermsPerBlock = 16;

  TermDictionary() = default;
  /// `block_offsets`: of each block in `bytes`, u32, possibly unaligned.
  TermDictionary(uint32_t term_count, const uint8_t* block_offsets, const uint8_t* bytes)
      : term_count_(term_count), block_offsets_(block_offsets), bytes_(bytes) {}

  uint32_t term_count() const { return term_count_; }
  std::optional<TermEntry> Find(std::string_view term) const;

  /// The first term that is not before `term`: terms with a prefix follow from there.
  TermIterator Seek(std::string_view term) const;

 private:
  friend class TermIterator;
  const uint8_t* Block(uint32_t block) const;
  std::string_view FirstTerm(uint32_t block) const;
  uint32_t block_count() const { return (term_count_ + kTermsPerBlock - 1) / kTermsPerBlock; }

  uint32_t term_count_ = 0;
  const uint8_t* block_offsets_ = nullptr;
  const uint8_t* bytes_ = nullptr;
};

/// Iterates over the terms in byte order. Thread-safety: one thread. Lifetime: of the bytes.
/// REQUIRES for every other method: valid().
class TermIterator {
 public:
  bool valid() const { return id_ < dictionary_.term_count(); }
  /// Valid until Next.
  std::string_view term() const { return term_; }
  uint32_t document_frequency() const { return entry_.document_frequency; }
  const TermEntry& entry() const { return entry_; }
  /// Rank of the term in byte order.
  uint32_t id() const { return id_; }
  void Next();

 private:
  friend class TermDictionary;
  explicit TermIterator(const TermDictionary& dictionary) : dictionary_(dictionary) {}
  void EnterBlock(uint32_t block);
  void Read();

  TermDictionary dictionary_;
  uint32_t id_ = 0;
  const uint8_t* at_ = nullptr;
  std::string term_;
  TermEntry entry_;
};

/// Writes the bytes that TermDictionary reads. REQUIRES: terms are added in ascending byte order.
class TermDictionaryWriter {
 public:
  /// REQUIRES: the list and its positions begin where those of the previous term end.
  void Add(std::string_view term, const TermEntry& entry);

  uint32_t term_count() const { return term_count_; }
  const std::string& block_offsets() const { return block_offsets_; }
  const std::string& bytes() const { return bytes_; }

 private:
  uint32_t term_count_ = 0;
  std::string last_;
  std::string block_offsets_;
  std::string bytes_;
};

}  // namespace emptor::retrieval
