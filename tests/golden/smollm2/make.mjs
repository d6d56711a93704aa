// Makes greedy_<type>.jsonl: what llama.cpp answers to the chats of chats.jsonl, token by token.
//
//   npm install node-llama-cpp@3.22.1      # with prebuilt binaries of llama.cpp
//   node make.mjs MODEL.gguf chats.jsonl > greedy_q4_1.jsonl
//
// MODEL.gguf: the published file, or what `emptor model quantize` makes of it.
// A line for each chat: "tokens", the greedy answer, at most 32 tokens, with the end token if it came;
// "close": [index, second token, difference of the two log-probabilities] where that is below 0.5.
// llama.cpp gets the ids of chats.jsonl. The chats that it would tokenize otherwise go to stderr: number
// 30, where it keeps bytes apart between which a byte without a token was dropped.
// One thread: the answers do not depend on it, and a shared machine is slow with more.
import fs from "node:fs";
import {getLlama, LlamaLogLevel} from "node-llama-cpp";

const kTokens = 32;
const kClose = 0.5;

const llama = await getLlama({gpu: false, build: "never", logLevel: LlamaLogLevel.error});
const model = await llama.loadModel({modelPath: process.argv[2]});
const context = await model.createContext({contextSize: 512, threads: 1});
const sequence = context.getSequence();
const differing = [];
const chats = fs.readFileSync(process.argv[3], "utf8").trim().split("\n");
for (const [index, line] of chats.entries()) {
    const chat = JSON.parse(line);
    if (model.tokenize(chat.text, true).join() !== chat.tokens.join()) differing.push(index);
    await sequence.clearHistory();
    const tokens = [];
    const close = [];
    const answer = sequence.evaluateWithMetadata(
        chat.tokens, {probabilities: true}, {temperature: 0, yieldEogToken: true});
    for await (const {token, probabilities} of answer) {
        const [[first, p], [second, q]] = probabilities.entries();
        if (first !== token && probabilities.get(token) !== p) throw new Error("not greedy");
        const margin = Math.log(p / q);
        if (margin < kClose) close.push([tokens.length, second, Number(margin.toFixed(4))]);
        tokens.push(token);
        if (tokens.length === kTokens || model.isEogToken(token)) break;
    }
    console.log(JSON.stringify({tokens, close}));
}
console.error(`chats that llama.cpp tokenizes otherwise: ${differing.join(" ")}`);
process.exit(0);
