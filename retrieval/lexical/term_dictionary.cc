// Front coding and bisection over blocks.
#include "retrieval/lexical/term_dictionary.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "retrieval/lexical/varint.h"

namespace emptor::retrieval {

const uint8_t* TermDictionary::Block(uint32_t block) const {
  uint32_t offset = 0;
  std::memcpy(&offset, block_offsets_ + size_t{block} * sizeof offset, sizeof offset);
  return bytes_ + offset;
}

std::string_view TermDictionary::FirstTerm(uint32_t block) const {
  const uint8_t* at = Block(block);
  SkipVarints(3, at);  // offsets of list and positions, shared bytes
  const uint64_t size = ReadVarint(at);
  return {reinterpret_cast<const char*>(at), static_cast<size_t>(size)};
}

TermIterator TermDictionary::Seek(std::string_view term) const {
  TermIterator found(*this);
  uint32_t low = 0;  // its first term is not behind the wanted one, or it is the first block
  for (uint32_t high = block_count(); low + 1 < high;) {
    const uint32_t middle = low + (high - low) / 2;
    (FirstTerm(middle) <= term ? low : high) = middle;
  }
  if (term_count_ == 0) return found;
  found.EnterBlock(low);
  while (found.valid() && found.term() < term) found.Next();
  return found;
}

std::optional<TermEntry> TermDictionary::Find(std::string_view term) const {
  const TermIterator found = Seek(term);
  if (!found.valid() || found.term() != term) return std::nullopt;
  return found.entry();
}

void TermIterator::EnterBlock(uint32_t block) {
  id_ = block * TermDictionary::kTermsPerBlock;
  at_ = dictionary_.Block(block);
  entry_ = {};
  entry_.list = ReadVarint(at_);
  entry_.positions = ReadVarint(at_);
  Read();
}

void TermIterator::Next() {
  ++id_;
  if (!valid()) return;
  if (id_ % TermDictionary::kTermsPerBlock == 0) {
    EnterBlock(id_ / TermDictionary::kTermsPerBlock);
    return;
  }
  entry_.list += entry_.list_bytes;
  entry_.positions += entry_.positions_bytes;
  Read();
}

void TermIterator::Read() {
  const auto shared = static_cast<size_t>(ReadVarint(at_));
  const auto own = static_cast<size_t>(ReadVarint(at_));
  term_.resize(shared);
  term_.append(reinterpret_cast<const char*>(at_), own);
  at_ += own;
  entry_.document_frequency = static_cast<uint32_t>(ReadVarint(at_));
  entry_.max_impact = static_cast<uint16_t>(ReadVarint(at_));
  entry_.list_bytes = ReadVarint(at_);
  entry_.positions_bytes = ReadVarint(at_);
}

void TermDictionaryWriter::Add(std::string_view term, const TermEntry& entry) {
  assert(term_count_ == 0 || std::string_view(last_) < term);
  size_t shared = 0;
  if (term_count_ % TermDictionary::kTermsPerBlock == 0) {
    const auto offset = static_cast<uint32_t>(bytes_.size());
    block_offsets_.append(reinterpret_cast<const char*>(&offset), sizeof offset);
    AppendVarint(entry.list, bytes_);
    AppendVarint(entry.positions, bytes_);
  } else {
    const size_t most = std::min(last_.size(), term.size());
    while (shared < most && last_[shared] == term[shared]) ++shared;
  }
  AppendVarint(shared, bytes_);
  AppendVarint(term.size() - shared, bytes_);
  bytes_.append(term.substr(shared));
  AppendVarint(entry.document_frequency, bytes_);
  AppendVarint(entry.max_impact, bytes_);
  AppendVarint(entry.list_bytes, bytes_);
  AppendVarint(entry.positions_bytes, bytes_);
  last_ = term;
  ++term_count_;
}

}  // namespace emptor::retrieval
