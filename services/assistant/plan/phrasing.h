// The wording of a plan: sentences of data/phrases around references to facts.
#pragma once

#include <string>
#include <vector>

#include "services/assistant/plan/plan.h"

namespace emptor::services {

/// The statements in the notation of the prompt ("[1:price]"), in the language of the
/// understanding. A total is an amount in words: it is code's own. Pure.
std::string WriteStatements(const std::vector<Statement>& statements, const PlanInput& input,
                            const std::string& locale);

/// "Of the 97 products that fit, 61 state their weight.", before the best of the shop; empty where
/// most do.
std::string WriteCoverage(const PlanInput& input);

/// "What may help: ear plugs. Also possible: white noise machine.", before goods that the message
/// needs and does not name; empty: it names them. It states nothing of a record. Pure.
std::string WriteHelp(const Understanding& understanding);

/// What the shop says of the part of the question that is about a policy, behind the statements on
/// goods; empty: the question has no such part.
std::string WritePolicyPart(const PlanInput& input);

/// "We do not sell the galaxy a50", of a comparison with what is sold; empty: both are. It states
/// nothing of a record. Pure.
std::string WriteUnsoldSide(const Understanding& understanding);

/// The whole answer without a model: the plan, else the best document, else that nothing was found.
/// `plan`: that of the input.
std::string WriteAnswer(const PlanInput& input, const std::vector<Statement>& plan,
                        const std::string& locale);
std::string WriteAnswer(const PlanInput& input, const std::string& locale);

}  // namespace emptor::services
