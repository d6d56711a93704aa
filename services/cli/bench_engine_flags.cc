// The flags of `emptor bench engine`.
#include "services/cli/bench_engine.h"

namespace emptor::services {
namespace {

/// What is measured of requests, in place of prefill and decoding.
void AddRequestFlags(Command command, BenchEngineCommand& options) {
  Flag modes[] = {
      command.AddSwitch("--batching", options.batching,
                        "measure continuous against static batching instead"),
      command.AddSwitch("--concurrency", options.concurrency,
                        "measure time to first token with few and many users at one rate instead"),
      command
          .Add("--prefix", options.prefix,
               "measure prompts with this many tokens in common instead")
          .Range(1, 1 << 20),
      command.AddSwitch("--neighbour", options.neighbour,
                        "measure decoding next to a busy process instead"),
      command.AddSwitch("--speculation", options.speculation,
                        "measure decoding with and without draft tokens instead")};
  for (Flag& mode : modes) {
    for (const Flag& other : modes) {
      if (&mode != &other) mode.Excludes(other);
    }
  }
  command.Add("--kv-block", options.kv_block, "tokens of a block of KV memory").Range(1, 1024);
  command.Add("--requests", options.requests, "--batching, --concurrency: number of requests")
      .Range(1, 100000);
  command.Add("--input", options.input, "--batching, --concurrency: median tokens of a prompt")
      .Range(1, 1 << 20);
  command.Add("--output", options.output, "--batching, --concurrency: median tokens of an answer")
      .Range(1, 1 << 20);
  AddTraceFlags(command, options.trace);
  command.Add("--load", options.load, "share of the capacity: --batching 0.8, --concurrency 0.5")
      .Range(0.01, 10.0);
  command.Add("--together", options.together, "--batching: sequences computed together")
      .Range(1, 1024);
  command
      .Add("--static-together", options.static_together,
           "--batching: sizes of static batches to choose from: 8,16,32")
      .Delimiter(',');
  command
      .Add("--tpot-limit", options.tpot_limit_ms,
           "--batching: milliseconds; that of continuous batching unless given")
      .Range(0.0, 1e6);
  command
      .Add("--users", options.users,
           "--concurrency: the lower and the higher number of users: 4,32")
      .Delimiter(',')
      .Count(2);
  command
      .Add("--draft-tokens", options.draft_tokens,
           "--speculation: draft tokens of a sequence in a step at most")
      .Range(1, 64);
  command.Add("--text", options.text, "--speculation: a file whose passages are written, too");
  command.Add("--questions", options.questions,
              "--speculation: lines of JSON with messages and references, answered too");
}

}  // namespace

void AddBenchEngineFlags(Command command, BenchEngineCommand& options) {
  command.Add("MODEL", options.model, "GGUF; the model that is served unless given");
  command.Add("--threads", options.threads, "0: one per core").Range(0, 1024);
  command.Add("--tp", options.ranks, "tensor-parallel ranks, which share the threads").Range(1, 64);
  command.Add("--prompt", options.prompts, "lengths of prompts: 128,512").Delimiter(',');
  command.Add("--prompt-batch", options.prompt_batches, "prompts computed together: 1,4")
      .Delimiter(',');
  command.Add("--batch", options.batches, "sequences that decode together: 1,2,4,8,16")
      .Delimiter(',');
  command.Add("--depth", options.depths, "tokens before the decoded ones: 128,1024").Delimiter(',');
  command.Add("--tokens", options.tokens, "tokens decoded in a sample");
  command.Add("--rounds", options.rounds, "number of measurements");
  command.Add("--min-seconds", options.min_seconds, "minimum duration of a sample")
      .Range(0.0, 600.0);
  command
      .Add("--read-buffer", options.read_buffer_mib,
           "MiB read to measure the memory (eight times the third-level cache)")
      .Range(0, 1 << 20);
  command.Add("--isa", options.isa, "reference, avx2, avx512 or avx512bf16");
  command.AddSwitch("--cpu-time", options.processor_time,
                    "measure processor time: for a shared machine");
  AddOutputFlags(command, options.json, options.report);
  AddRequestFlags(command, options);
}

}  // namespace emptor::services
