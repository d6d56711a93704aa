// Recorded loads: which requests came when, and how long they were.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "services/bench/load_plan.h"

namespace emptor::services {

/// kAzure: CSV with the head `TIMESTAMP,ContextTokens,GeneratedTokens`, times as
/// `2023-11-16 18:15:46.6805900` (github.com/Azure/AzurePublicDataset).
/// kMooncake: a JSON object a line with timestamp (ms), input_length, output_length and hash_ids,
/// the names of the prompt's blocks of 512 tokens (github.com/kvcache-ai/Mooncake).
enum class TraceFormat { kAzure, kMooncake };

/// The requests in the order of the file; times are counted from the first one. Strict: a line that
/// is not as it should be, or that is earlier than the one before it, is refused.
/// Errors: kInvalidArgument, `name:line: field: what is wrong`.
absl::StatusOr<std::vector<PlannedRequest>> ParseTrace(std::string_view text, TraceFormat format,
                                                       std::string_view name);

/// The same from a file; `.zst` files are unpacked. Errors: as ParseTrace; kNotFound;
/// kInvalidArgument (more than a gigabyte, damaged compression).
absl::StatusOr<std::vector<PlannedRequest>> ReadTrace(const std::string& path, TraceFormat format);

}  // namespace emptor::services
