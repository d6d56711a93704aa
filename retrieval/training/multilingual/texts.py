"""Makes the texts that the teacher reads."""
import random

from concepts import LANGUAGES

# Definitions taken of each of WordNet's fields: mostly artifacts, then food, adjectives, plants, ...
FIELDS = {0: 3000, 5: 1500, 6: 9000, 7: 1500, 8: 700, 9: 800, 10: 800, 13: 2200, 20: 900, 27: 1500, 29: 300, 30: 500,
          35: 500, 36: 300, 38: 200}
FORMS = {
    "en": ("{}", "{}", "{}", "i am looking for {}", "do you have {}?", "I need {}", "best {}"),
    "de": ("{}", "{}", "{}", "ich suche {}", "haben Sie {}?", "ich brauche {}", "beste {}"),
    "fr": ("{}", "{}", "{}", "je cherche {}", "avez-vous {} ?", "j'ai besoin de {}", "meilleur {}"),
    "es": ("{}", "{}", "{}", "busco {}", "¿tienen {}?", "necesito {}", "mejor {}"),
    "zh": ("{}", "{}", "{}", "我在找{}", "有没有{}？", "我需要{}", "最好的{}"),
}
WITH = {"en": "with", "de": "mit", "fr": "avec", "es": "con", "zh": "带"}
FOR = {"en": "for", "de": "für", "fr": "pour", "es": "para", "zh": "适用于"}
SIZES = ("2", "5", "10", "1.5", "18 V", "20 cm", "500 W", "16 GB", "1 l", "100 ml", '27"')


def composed(concepts, count, seed):
    """{language: text}: one product with properties, in each language that has words for all of it."""
    rng = random.Random(seed)
    types, values, keys = ([c for c in concepts[n] if len(c) >= 4] for n in ("types", "values", "attributes"))
    for _ in range(count):
        kind = rng.choice(types)
        stated = [rng.choice(values) for _ in range(rng.choice((0, 1, 1, 2)))]
        draw, form, sized, value_first = rng.random(), rng.randrange(7), rng.random() < 0.2, rng.random() < 0.7
        linked, link = (rng.choice(keys), WITH) if draw < 0.3 else (rng.choice(types), FOR) if draw < 0.45 else (None, None)
        size = rng.choice(SIZES)
        found = {}
        for language in LANGUAGES:
            if not all(c.get(language) for c in (kind, *stated, *((linked,) if linked else ()))):
                continue
            name = rng.choice(kind[language][:3] if rng.random() < 0.7 else kind[language])
            told = [rng.choice(c[language]) for c in stated]
            text = [*told, name] if value_first else [name, *told]
            text += [size] if sized else []
            text += [link[language], rng.choice(linked[language])] if linked else []
            found[language] = FORMS[language][form].format(("" if language == "zh" else " ").join(text))
        if "en" in found and len(found) > 1:
            yield found


def definitions(wordnet, known, seed):
    """Words with their definitions, or with their synonyms."""
    rng = random.Random(seed)
    by_field = {}
    for field, lemmas, gloss in wordnet:
        if any(w in known for lemma in lemmas for w in lemma.lower().split()):
            by_field.setdefault(field, []).append((lemmas, gloss))
    for field, count in FIELDS.items():
        found = by_field.get(field, [])
        for lemmas, gloss in rng.sample(found, min(count, len(found))):
            said = gloss.split(";")[0].split('"')[0].strip()
            name = rng.choice(lemmas)
            yield f"{name}: {said}"[:110] if rng.random() < 0.75 else ", ".join(lemmas[:3])


def word_lists(known, count, seed):
    """Words in no order: what one weighs among others."""
    rng = random.Random(seed)
    for _ in range(count):
        yield " ".join(rng.sample(known, rng.choice((2, 3, 4, 6))))
