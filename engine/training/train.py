"""Trains the shipped language model on generated examples; one command, no data needed."""

import argparse
import json
import os
import time
from dataclasses import dataclass
from pathlib import Path

import torch

from batches import SHORT_SHAPE, batches
from generator import Generator
from import_gguf import load_weights, write_tokenizer
from induction_init import induction_parameters, write_induction_head
from model import LanguageModel, ModelConfig
from muon import Muon
from spellings import share_spellings
from tokenizer import load_tokenizer, train_tokenizer

_MUON_RATE = 0.015
_EMBEDDING_RATE = 8e-3
_GAIN_RATE = 2e-3
_WARMUP_STEPS = 60
_INDUCTION_FROZEN_STEPS = 400
_INDUCTION_RATE = 0.2  # relative, once it is free
_ONE_UNTIL, _TWO_UNTIL = 0.08, 0.2  # shares of the run with at most one, then two products in a prompt


@dataclass
class Progress:
    """What is known about the run; stored with every checkpoint."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0


class Trainer:
    """Owns the model, its optimisers and the stream of batches."""

    def __init__(self, options: argparse.Namespace):
        torch.manual_seed(options.seed)
        self.options = options
        self.tokenizer = self._tokenizer()
        self.model = LanguageModel(ModelConfig(vocab_size=self.tokenizer.get_vocab_size()))
        self._initialise()
        matrices = [p for n, p in self.model.named_parameters() if p.dim() == 2 and n != "embedding"]
        gains = [p for p in self.model.parameters() if p.dim() == 1]
        induction = induction_parameters(self.model)
        self.muon = Muon([p for p in matrices if all(p is not q for q in induction)])
        self.induction_muon = Muon(induction)
        groups = [{"params": [self.model.embedding], "peak": _EMBEDDING_RATE}, {"params": gains, "peak": _GAIN_RATE}]
        self.adam = torch.optim.AdamW(groups, betas=(0.9, 0.95), weight_decay=0.0)
        self.progress = Progress()
        self.checkpoint = options.work / "checkpoint.pt"
        if options.resume:
            self._load()
        seed = options.seed + self.progress.step
        self.generator = Generator(1000 + seed)
        self.stream = batches(self.tokenizer, self.generator, seed)
        self.loss = torch.compile(self.model.loss, dynamic=False) if options.compile else self.model.loss
        held_out = batches(self.tokenizer, Generator(77, held_out=True), 7)
        self.held_out = [next(held_out) for _ in range(options.evaluation_batches)]

    def _tokenizer(self):
        path = self.options.work / "tokenizer.json"
        if self.options.start:
            write_tokenizer(self.options.start, path)
        elif not path.exists():
            train_tokenizer(4096, 20000).save(str(path))
        return load_tokenizer(path)

    def _initialise(self) -> None:
        if self.options.start:
            load_weights(self.options.start, self.model)
            return
        write_induction_head(self.model)
        tokens = [self.tokenizer.id_to_token(i) for i in range(self.tokenizer.get_vocab_size())]
        share_spellings(self.model.embedding, tokens)

    def run(self) -> None:
        """Until the time is spent: constant rate first, then linear decay to almost nothing."""
        limit = self.options.minutes * 60
        started, last_saved = time.time() - self.progress.seconds, time.time()
        smooth = None
        while self.progress.seconds < limit:
            share = self.progress.seconds / limit
            self.generator.most_products = self._most_products(share)
            loss = self._step(self._rate(share))
            smooth = loss if smooth is None else 0.98 * smooth + 0.02 * loss
            self.progress.seconds = time.time() - started
            if self.progress.step % 100 == 0:
                self._log(loss=round(smooth, 4))
            if time.time() - last_saved > self.options.save_every:
                last_saved = time.time()
                self._log(loss=round(smooth, 4), **self._evaluate())
                self._save()
        self._log(loss=round(smooth, 4), **self._evaluate())
        self._save()

    def _most_products(self, share: float) -> int:
        if self.options.start:  # such weights know the easy scenes already
            return 6
        return 1 if share < _ONE_UNTIL else 2 if share < _TWO_UNTIL else 6

    def _rate(self, share: float) -> float:
        warmup = min(1.0, (self.progress.step + 1) / _WARMUP_STEPS)
        decay = min(1.0, (1 - share) / (1 - self.options.constant_share))
        return self.options.peak * warmup * max(0.01, decay)

    def _step(self, rate: float) -> float:
        total = weight = 0.0
        for _ in range(self.options.micro_batches):
            batch = next(self.stream)
            usual = tuple(batch.tokens.shape) == SHORT_SHAPE
            loss = (self.loss if usual else self.model.loss)(*batch.arguments())
            loss.backward()
            total += loss.item()
            weight += batch.weights.sum().item()
            self.progress.tokens += batch.tokens.numel()
        for parameter in self.model.parameters():
            parameter.grad.div_(weight)
        self.model.embedding.grad[:, 0] = 0  # the constant that the induction head looks at
        for group in self.adam.param_groups:
            group["lr"] = group["peak"] * rate
        self.adam.step()
        self.muon.step(_MUON_RATE * rate)
        free = self.progress.step >= _INDUCTION_FROZEN_STEPS
        self.induction_muon.step(_MUON_RATE * rate * _INDUCTION_RATE if free else 0.0)
        self.model.zero_grad(set_to_none=True)
        self.progress.step += 1
        return total / weight

    @torch.no_grad()
    def _evaluate(self) -> dict[str, float]:
        """Teacher-forced on held-out categories and wordings: answers with every token right."""
        turns: dict[int, bool] = {}
        correct = count = 0
        for number, batch in enumerate(self.held_out):
            h = self.model.hidden(batch.tokens, batch.positions, batch.mask)
            rows = h.reshape(-1, h.shape[-1])[batch.selected].float()
            hits = (rows @ self.model.embedding.t()).argmax(-1) == batch.targets
            for turn, hit, weight in zip(batch.turn_ids.tolist(), hits.tolist(), batch.weights.tolist()):
                if weight == 1.0:
                    key = turn + 1_000_000 * number
                    turns[key] = turns.get(key, True) and hit
                    correct, count = correct + hit, count + 1
        return {"held_tokens": round(correct / count, 4), "held_answers": round(sum(turns.values()) / len(turns), 4)}

    def _log(self, **values) -> None:
        speed = self.progress.tokens / max(1.0, self.progress.seconds)
        facts = {"step": self.progress.step, "tokens": self.progress.tokens, "speed": round(speed)}
        print(json.dumps(facts | {"minutes": round(self.progress.seconds / 60, 2)} | values), flush=True)

    def _save(self) -> None:
        state = {
            "config": self.model.config.to_dict(),
            "weights": self.model.state_dict(),
            "progress": vars(self.progress),
            "adam": self.adam.state_dict(),
            "muon": self.muon.buffers,
            "induction_muon": self.induction_muon.buffers,
        }
        temporary = self.checkpoint.with_suffix(".tmp")
        torch.save(state, temporary)
        os.replace(temporary, self.checkpoint)

    def _load(self) -> None:
        state = torch.load(self.checkpoint)
        self.model.load_state_dict(state["weights"])
        self.adam.load_state_dict(state["adam"])
        self.muon.buffers, self.induction_muon.buffers = state["muon"], state["induction_muon"]
        self.progress = Progress(**state["progress"])


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for the tokenizer and the checkpoint")
    parser.add_argument("--minutes", type=float, default=75)
    parser.add_argument("--peak", type=float, default=1.0, help="learning rates, relative to the usual ones")
    parser.add_argument("--constant-share", type=float, default=0.4, help="part of the time before the decay")
    parser.add_argument("--micro-batches", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--save-every", type=float, default=150, help="seconds")
    parser.add_argument("--evaluation-batches", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compile", action=argparse.BooleanOptionalAction, default=True)
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint in the work folder")
    parser.add_argument("--start", type=Path, help="begin with the weights and the tokenizer of this GGUF")
    return parser.parse_args()


def main() -> None:
    options = parse_options()
    torch.set_num_threads(options.threads)
    options.work.mkdir(parents=True, exist_ok=True)
    Trainer(options).run()


if __name__ == "__main__":
    main()
