// Port: a restriction on which token may come next.
#pragma once

#include <cstdint>
#include <span>

namespace emptor::engine {

/// One answer's progress under a restriction. Several may hold at once: each only forbids.
/// Implementations: ReferenceConstraint, FormatConstraint. Thread-safety: one user at a time.
class OutputConstraint {
 public:
  virtual ~OutputConstraint() = default;
  OutputConstraint(const OutputConstraint&) = delete;
  OutputConstraint& operator=(const OutputConstraint&) = delete;

  /// Sets the logits of tokens that may not come next to -infinity; leaves the others.
  virtual void MaskInto(std::span<float> logits) const = 0;
  /// The token that was chosen. REQUIRES: MaskInto left it.
  virtual void Accept(int32_t token) = 0;
  /// Whether only the end can follow.
  virtual bool complete() const = 0;

 protected:
  OutputConstraint() = default;
};

}  // namespace emptor::engine
