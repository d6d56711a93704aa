// Every word that the page itself says, in each language it speaks.

const kStrings = {
  en: {
    documentTitle: "Shopping assistant",
    brand: "Emptor",
    newConversation: "New chat",
    conversation: "Conversation",
    welcomeTitle: "What are you looking for?",
    welcomeText: "Ask in your own words. Prices, stock and ratings come straight from the catalog.",
    firstQuestions: "Questions to start with",
    firstQuestion1: "Which quiet kettle do you have under $60?",
    firstQuestion2: "Wireless headphones for long flights",
    firstQuestion3: "A gift for someone who loves cooking",
    firstQuestion4: "How long does shipping take?",
    productQuestion1: "What should I know before I buy it?",
    productQuestion2: "Is it in stock?",
    productQuestion3: "Show me something cheaper",
    askingAbout: "Asking about",
    stopAskingAbout: "Stop asking about this product",
    messageLabel: "Your question",
    messagePlaceholder: "Ask the shop anything…",
    messagePlaceholderProduct: "Ask about this product…",
    send: "Send",
    stop: "Stop",
    jumpToLatest: "Jump to the latest answer",
    youAsked: "You asked:",
    answer: "Answer",
    searching: "Looking through the shop…",
    reading: "Reading the details…",
    productsFound: { one: "{count} product found", other: "{count} products found" },
    relaxed: "Nothing meets every wish, so these leave out {wishes}.",
    relaxed_price: "the price limit",
    relaxed_brand: "the brand",
    relaxed_category: "the category",
    relaxed_availability: "whether it is in stock",
    relaxed_location: "the store",
    relaxed_min_rating: "the rating",
    relaxed_condition: "whether it is new or used",
    relaxed_color: "the colour",
    relaxed_attribute: "the size or other properties",
    relaxed_range: "the measures",
    products: "Products",
    showPrevious: "Previous products",
    showNext: "More products",
    answerComplete: "Answer complete",
    stopped: "Stopped",
    interrupted: "This answer was cut short.",
    noAnswer: "There was no answer.",
    tryAgain: "Try again",
    errorOffline: "There is no connection to the shop. Check your network and try again.",
    errorInterrupted: "The connection broke off before the answer was complete.",
    errorBusy: "The shop is very busy right now. Please try again in a moment.",
    errorLate: "The answer took too long.",
    errorRejected: "The shop could not take this question.",
    errorFailed: "Something went wrong on our side.",
    errorReference: "Reference {id}",
    sources: "Sources",
    source: "Source {n}",
    comparison: "Comparison",
    suggestions: "You could also ask",
    firstWords: "First words in {time}",
    inAll: "complete in {time}",
    seconds: "{value} s",
    wasPrice: "Was",
    price: "Price",
    priceUnknown: "Price on request",
    ratingLabel: "Rated {value} out of 5",
    reviews: { one: "{count} review", other: "{count} reviews" },
    in_stock: "In stock",
    out_of_stock: "Out of stock",
    preorder: "Pre-order",
    backorder: "On back-order",
    noImage: "No picture",
    backToChat: "Back to the assistant",
    askAboutThis: "Ask about this product",
    details: "Details",
    description: "Description",
    pictures: "Pictures",
    picture: "Picture {n}",
    loadingProduct: "Loading the product…",
    productMissing: "This product is not in the catalog.",
    productMissingText: "It may have been sold out for good, or the address is wrong.",
    productFailed: "The product could not be loaded.",
    condition_refurbished: "Refurbished",
    condition_used: "Used",
  },
  zh: {
    documentTitle: "购物助手",
    brand: "Emptor",
    newConversation: "新对话",
    conversation: "对话",
    welcomeTitle: "想找点什么？",
    welcomeText: "用您自己的话提问。价格、库存和评分都直接来自商品目录。",
    firstQuestions: "可以这样开始",
    firstQuestion1: "有没有 60 美元以下的静音电热水壶？",
    firstQuestion2: "适合长途飞行的无线耳机",
    firstQuestion3: "送给爱做饭的人的礼物",
    firstQuestion4: "多久能送到？",
    productQuestion1: "购买前我需要了解什么？",
    productQuestion2: "有现货吗？",
    productQuestion3: "有更便宜的吗？",
    askingAbout: "正在询问",
    stopAskingAbout: "不再询问此商品",
    messageLabel: "您的问题",
    messagePlaceholder: "想问什么都可以……",
    messagePlaceholderProduct: "询问此商品……",
    send: "发送",
    stop: "停止",
    jumpToLatest: "跳到最新回答",
    youAsked: "您问：",
    answer: "回答",
    searching: "正在查找商品……",
    reading: "正在阅读商品详情……",
    productsFound: { other: "找到 {count} 件商品" },
    relaxed: "没有商品满足全部条件，以下结果未限制{wishes}。",
    relaxed_price: "价格",
    relaxed_brand: "品牌",
    relaxed_category: "类别",
    relaxed_availability: "是否有货",
    relaxed_location: "门店",
    relaxed_min_rating: "评分",
    relaxed_condition: "新旧程度",
    relaxed_color: "颜色",
    relaxed_attribute: "尺码等属性",
    relaxed_range: "规格大小",
    products: "商品",
    showPrevious: "上一组商品",
    showNext: "更多商品",
    answerComplete: "回答完毕",
    stopped: "已停止",
    interrupted: "此回答未完成。",
    noAnswer: "没有得到回答。",
    tryAgain: "重试",
    errorOffline: "无法连接到商店。请检查网络后重试。",
    errorInterrupted: "回答完成前连接中断了。",
    errorBusy: "商店现在非常繁忙，请稍后再试。",
    errorLate: "回答超时了。",
    errorRejected: "商店无法处理这个问题。",
    errorFailed: "我们这边出了点问题。",
    errorReference: "编号 {id}",
    sources: "来源",
    source: "来源 {n}",
    comparison: "对比",
    suggestions: "您还可以问",
    firstWords: "{time}后开始回答",
    inAll: "{time}完成",
    seconds: "{value} 秒",
    wasPrice: "原价",
    price: "价格",
    priceUnknown: "价格请咨询",
    ratingLabel: "评分 {value}，满分 5 分",
    reviews: { other: "{count} 条评价" },
    in_stock: "有货",
    out_of_stock: "缺货",
    preorder: "预售",
    backorder: "可预订",
    noImage: "暂无图片",
    backToChat: "返回助手",
    askAboutThis: "询问此商品",
    details: "参数",
    description: "商品介绍",
    pictures: "图片",
    picture: "图片 {n}",
    loadingProduct: "正在加载商品……",
    productMissing: "目录中没有此商品。",
    productMissingText: "它可能已经下架，或者网址有误。",
    productFailed: "商品加载失败。",
    condition_refurbished: "翻新",
    condition_used: "二手",
  },
};

export const kLanguages = Object.keys(kStrings);

/// The strings of one language: t("answer"), t("source", {n: 2}), t("reviews", {count: 3}).
export class Strings {
  /// The first of `preferred` (BCP 47 tags, best first) that the page speaks, else English.
  constructor(preferred) {
    const tag = preferred.find((candidate) => candidate.split("-")[0].toLowerCase() in kStrings);
    this.language = tag === undefined ? "en" : tag.split("-")[0].toLowerCase();
    /// For numbers and money: the reader's own region where it fits the language.
    this.locale = tag ?? "en-US";
    /// For the document's lang attribute.
    this.tag = this.language === "zh" ? "zh-CN" : "en";
  }

  t(key, values = {}) {
    const entry = kStrings[this.language][key];
    if (entry === undefined) throw new RangeError(`no string "${key}"`);
    const text = typeof entry === "string" ? entry : this.#plural(entry, values.count);
    return text.replace(/\{(\w+)\}/g, (mark, name) =>
      name in values ? this.#show(values[name]) : mark,
    );
  }

  has(key) {
    return Object.hasOwn(kStrings[this.language], key);
  }

  #plural(forms, count) {
    return forms[new Intl.PluralRules(this.locale).select(count)] ?? forms.other;
  }

  #show(value) {
    return typeof value === "number" ? new Intl.NumberFormat(this.locale).format(value) : value;
  }
}

/// Keys of one language, for the test that holds the languages against each other.
export function stringKeys(language) {
  return Object.keys(kStrings[language]);
}
