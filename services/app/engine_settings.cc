// The table of the settings of the LLM engine.
#include "services/app/settings.h"

namespace emptor::services {
namespace {

const Setting<Config> kEngine[] = {
    {.name = "engine_threads",
     .member = &Config::engine_threads,
     .meaning = "Threads that compute the language model. 0: one per core.",
     .low = 0,
     .high = 256},
    {.name = "engine_ranks",
     .member = &Config::engine_ranks,
     .meaning = "Tensor-parallel ranks, which share the threads. Each computes its part of every "
                "layer.",
     .low = 1,
     .high = 64},
    {.name = "engine_max_running",
     .member = &Config::engine_max_running,
     .meaning = "Sequences that are computed in one batch at most.",
     .low = 1,
     .high = 4096},
    {.name = "engine_max_waiting",
     .member = &Config::engine_max_waiting,
     .meaning = "Requests that may wait for the engine. More are refused.",
     .low = 1,
     .high = 100000},
    {.name = "engine_max_waiting_tokens",
     .member = &Config::engine_max_waiting_tokens,
     .meaning = "Prompt tokens that may wait for the engine. More are refused.",
     .low = 1,
     .high = 1 << 30},
    {.name = "engine_prefix_cache",
     .member = &Config::engine_prefix_cache,
     .meaning = "1: prompts that begin alike share the keys and values of that beginning. 0: they "
                "do not.",
     .low = 0,
     .high = 1},
    {.name = "kv_megabytes",
     .member = &Config::kv_megabytes,
     .meaning = "Memory for keys and values, in MiB, of each language model that is loaded.",
     .low = 1,
     .high = 1 << 20},
    {.name = "kv_bits",
     .member = &Config::kv_bits,
     .meaning = "Bits of an element of keys and values. 8 halves their memory.",
     .low = 8,
     .high = 16,
     .choices = {"16", "8"}},
    {.name = "speculation",
     .member = &Config::speculation,
     .meaning = "Where the guesses of speculative decoding come from, which make answers faster "
                "and change none of their tokens. `prompt_lookup`: what followed the same words "
                "earlier in prompt or answer, for answers that quote their passages.",
     .choices = {"none", "prompt_lookup"}},
    {.name = "speculation_tokens",
     .member = &Config::speculation_tokens,
     .meaning = "Tokens of an answer that are guessed ahead at most. How many are depends on how "
                "many guesses were right and on how full the batch is.",
     .low = 1,
     .high = 64}};

}  // namespace

std::span<const Setting<Config>> EngineSettings() { return kEngine; }

}  // namespace emptor::services
