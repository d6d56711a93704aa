// Shows amounts of money. An amount is an integer in minor units of an ISO 4217 currency.

/// Currencies whose minor unit is not a hundredth (ISO 4217, amendment 176). Browsers' own tables
/// follow usage, not the standard, and differ for some of these.
const kMinorDigits = new Map([
  ..."BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
    .split(" ")
    .map((currency) => [currency, 0]),
  ..."BHD IQD JOD KWD LYD OMR TND".split(" ").map((currency) => [currency, 3]),
  ["CLF", 4],
  ["UYW", 4],
]);

export function minorDigits(currency) {
  return kMinorDigits.get(currency) ?? 2;
}

/// True for {amount: integer, currency: three capital letters}.
export function isMoney(value) {
  return (
    typeof value === "object" &&
    value !== null &&
    Number.isSafeInteger(value.amount) &&
    /^[A-Z]{3}$/.test(value.currency)
  );
}

/// The amount as a decimal number in text, exactly: {4999, USD} is "49.99", {1800, JPY} is "1800".
export function decimalText({ amount, currency }) {
  const digits = minorDigits(currency);
  const minor = String(Math.abs(amount)).padStart(digits + 1, "0");
  const whole = minor.slice(0, minor.length - digits);
  const fraction = digits > 0 ? `.${minor.slice(minor.length - digits)}` : "";
  return (amount < 0 ? "-" : "") + whole + fraction;
}

/// The amount for a reader of `locale`, with its currency sign and all its minor digits: the form
/// in which the service writes amounts in an answer (CLDR).
export function formatMoney(money, locale) {
  return format(money, locale, minorDigits(money.currency));
}

/// The amount without minor digits where all of them are zero: "$60", "$60.50".
export function formatShortMoney(money, locale) {
  const digits = minorDigits(money.currency);
  return format(money, locale, money.amount % 10 ** digits === 0 ? 0 : digits);
}

function format(money, locale, digits) {
  const numbers = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: money.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return numbers.format(decimalText(money));
}
