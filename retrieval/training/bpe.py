"""Text normalisation and the byte-level BPE of the embedder (GPT-2 pre-tokenizer, no prefix space)."""
import re
import unicodedata

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

# Characters that Unicode's NFKC_Casefold removes (Default_Ignorable_Code_Point).
IGNORABLE = re.compile("[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
                       "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]")


def normalize(text):
    """Unicode NFKC_Casefold: compatibility forms, case folding, ignorable characters removed."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize("NFKC", IGNORABLE.sub("", folded))


def train(texts, vocabulary_size):
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=vocabulary_size, min_frequency=2, show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator((normalize(t) for t in texts), trainer)
    return tokenizer


def encode(tokenizer, texts):
    """Token ids of each text."""
    return [e.ids for e in tokenizer.encode_batch_fast([normalize(t) for t in texts])]
