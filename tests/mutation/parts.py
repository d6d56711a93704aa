"""What `make mutate` mutates: pure code, with the tests that must notice."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Part:
    name: str
    sources: list[str]  # mutated, from the repository's root
    target: str         # the CMake test target whose flags and libraries the tests need
    tests: list[str]    # sources of that target to link, from the repository's root; empty: all
    filter: str = "*"   # GoogleTest filter


def _in(folder, names):
    return [f"{folder}/{name}" for name in names.split()]


PARTS = [
    Part("scheduler", ["engine/scheduler/policy.cc"], "engine_tests",
         _in("tests/engine/scheduler", "policy_test.cc policy_property_test.cc simulation_test.cc")),
    Part("kv", ["engine/kv/prefix_cache.cc"], "engine_tests",
         _in("tests/engine/kv", "prefix_cache_test.cc")),
    Part("sampling",
         _in("engine/sampling", "logit_math.cc logit_rules.cc reference_constraint.cc sampler.cc "
             "stop_matcher.cc"), "engine_tests",
         _in("tests/engine/sampling", "logit_rules_test.cc reference_constraint_test.cc "
             "sampler_test.cc stop_matcher_test.cc")),
    Part("query",
         _in("retrieval/query", "amount_words.cc comparators.cc constraints.cc measure_words.cc "
             "negation_words.cc price_words.cc query_tokens.cc relaxation.cc stock_words.cc"),
         "query_tests", []),
    Part("lexical", _in("retrieval/lexical", "posting_list.cc phrase.cc bm25.cc"),
         "retrieval_tests",
         _in("tests/retrieval/lexical", "bit_packing_test.cc inverted_index_test.cc phrase_test.cc "
             "ranked_search_test.cc term_dictionary_test.cc"), "-*Damaged*"),
    Part("fusion", ["retrieval/hybrid/fusion.cc"], "retrieval_tests",
         ["tests/retrieval/hybrid/policies_test.cc"]),
    Part("records", ["catalog/money.cc", "catalog/validation.cc"], "catalog_tests",
         ["tests/catalog/product_json_test.cc", "tests/catalog/product_test.cc",
          "tests/catalog/validation_test.cc", "tests/catalog/random_product.cc", "tests/catalog/text_safety/text_safety_test.cc"]),
    Part("amounts", ["catalog/feed/amount.cc"], "catalog_feed_tests",
         ["tests/catalog/feed/amount_test.cc", "tests/catalog/feed/fields_test.cc"]),
    Part("grounding",
         _in("services/grounding", "answer_lexer.cc answer_writer.cc citation.cc claim_words.cc "
             "fact_formatter.cc fact_renderer.cc hydrator.cc record_text.cc relaxation_text.cc "
             "sentence.cc text_clean.cc"), "services_grounding_tests", []),
    Part("understanding", ["services/assistant/reading/query_understanding.cc"],
         "services_understanding_tests", []),
    Part("retry", ["services/client/retry_policy.cc"], "services_embedding_tests", []),
    Part("http", _in("services/http", "request_head.cc chunked_body.cc syntax.cc"),
         "services_http_tests", _in("tests/services/http", "http_cases.cc http_guard_test.cc")),
]
