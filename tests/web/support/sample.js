// Products and answers of the test double, in the wire format of the service.

const kColours = ["#7d9d8c", "#c2a878", "#8c9db5", "#b58c8c", "#a39bb8", "#9fb07a"];

/// A drawn kettle, so that pages under test show pictures without a file.
export function drawing(id) {
  const colour = kColours[[...id].reduce((sum, c) => sum + c.charCodeAt(0), 0) % kColours.length];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400">
<rect width="400" height="400" fill="#f6f5f2"/>
<path d="M140 130h120l28 170a14 14 0 0 1-14 16H126a14 14 0 0 1-14-16z" fill="${colour}"/>
<path d="M268 160c60-6 70 90 22 120" fill="none" stroke="#3a3d38" stroke-width="16"/>
<path d="M136 160l-40-14 14 46" fill="${colour}"/>
<rect x="150" y="108" width="100" height="22" rx="10" fill="#3a3d38"/>
</svg>`;
}

function product(id, n, fields) {
  return {
    id,
    n,
    brand: "Torvane",
    description: "",
    categories: ["Kitchen > Kettles"],
    price: { amount: 4999, currency: "USD" },
    availability: "in_stock",
    condition: "new",
    link: `https://shop.example/${id}`,
    url: `https://shop.example/${id}`,
    image_url: `/images/${id}.svg`,
    rating: { value: 4.5, count: 312 },
    attributes: {},
    locale: "en",
    score: 0.9,
    why: "",
    ...fields,
  };
}

export const kKettles = [
  product("K20", 1, {
    title: "Torvane Glide Kettle K20",
    was_price: { amount: 5999, currency: "USD" },
    description:
      "Boils a full pot in three minutes and keeps it warm for an hour.\n\n" +
      "A double wall keeps it quiet enough for an open kitchen early in the morning.",
    attributes: {
      capacity: "1.7 l",
      power: "2200 W",
      "noise level": "65 dB",
      "keep warm": "60 min",
      material: "stainless steel",
      "dishwasher safe": "no",
    },
    additional_image_links: ["/images/K20b.svg", "/images/K20c.svg"],
  }),
  product("HB-4", 2, {
    title:
      "Hobbrook Brook Whisper Electric Kettle with Variable Temperature Control and Double " +
      "Wall, 1.5 l, Sage Green",
    brand: "Hobbrook",
    price: { amount: 5450, currency: "USD" },
    rating: { value: 4.1, count: 1280 },
  }),
  product("Q7", 3, {
    title: "Quellin Ember Q7",
    brand: "Quellin",
    price: { amount: 2490, currency: "USD" },
    rating: { value: 3.8, count: 1 },
    availability: "out_of_stock",
  }),
  product("M-12", 4, {
    title: "Marrowby Swift M12 Glass Kettle",
    brand: "Marrowby",
    price: { amount: 3900, currency: "USD" },
    rating: null,
    availability: "preorder",
  }),
  product("JP1", 5, {
    title: "山本 電気ケトル 0.8L",
    brand: "山本",
    price: { amount: 5980, currency: "JPY" },
    image_url: "/images/missing.svg",
  }),
];

export const kWords = (
  "The **Torvane Glide Kettle K20** is the quietest one under $60: it " +
  "hums at 65 dB and costs $49.99 [1].\n\nIf you want to choose the temperature, look at " +
  "[Hobbrook Brook Whisper](/p/HB-4) for $54.50 [2].\n\n" +
  "- Both hold enough for six cups\n- Both switch themselves off\n\n" +
  "Shipping takes 3 to 5 business days [6]."
).match(/\S+\s*/g);

/// The events of a whole, ordinary answer.
export function kettleAnswer({ conversation = "c-1" } = {}) {
  return [
    [
      "start",
      {
        id: "a-1",
        conversation_id: conversation,
        model: "emptor",
        intents: [],
        filters: {},
        cache: "miss",
      },
    ],
    ["products", { items: kKettles }],
    ...kWords.map((text) => ["delta", { text }]),
    [
      "citation",
      {
        n: 1,
        product_id: "K20",
        passage_id: "K20#2",
        quote: "A double wall keeps it quiet enough for an open kitchen.",
      },
    ],
    [
      "citation",
      {
        n: 6,
        product_id: null,
        passage_id: "faq-ship",
        quote: "Standard shipping takes 3 to 5 business days.",
      },
    ],
    [
      "table",
      {
        columns: ["", "Torvane Glide Kettle K20", "Hobbrook Brook Whisper"],
        rows: [
          ["Price", "$49.99", "$54.50"],
          ["Noise level", "65 dB", "72 dB"],
        ],
      },
    ],
    ["suggestions", { items: ["Which one is dishwasher safe?", "Compare the first two"] }],
    [
      "done",
      {
        finish_reason: "stop",
        usage: { prompt_tokens: 300, completion_tokens: 60 },
        timings: { understand: 1, retrieve: 6, queue: 0, ttft: 85, generate: 640, total: 740 },
        answer_step: "mixed",
        grounded: { references: 9, kept: 3, replaced: 1, dropped: 0 },
      },
    ],
  ];
}

/// Events as they go over the wire. Ids count from `first`.
export function encode(events, { first = 1 } = {}) {
  return events.map(
    ([event, data], index) =>
      `id: ${first + index}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
  );
}
