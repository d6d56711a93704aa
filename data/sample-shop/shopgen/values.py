"""Display forms of attribute values: proper case and units, and Chinese."""
import re

PROPER = [  # (pattern, replacement), matched as whole words
    (r"usb(-[ac])?", lambda m: m[0].upper()), (r"hdmi", "HDMI"), (r"earc", "eARC"), (r"ips", "IPS"), (r"va", "VA"),
    (r"wi-fi (\d)(e?)", lambda m: "Wi-Fi " + m[1] + m[2].upper()), (r"hepa h", "HEPA H"),
    (r"hepa", "HEPA"), (r"ip(x?\d+)", lambda m: "IP" + m[1].upper()), (r"gan", "GaN"),
    (r"rgb", "RGB"), (r"lcd", "LCD"), (r"amoled", "AMOLED"), (r"ssd", "SSD"), (r"abs", "ABS"),
    (r"upf", "UPF"), (r"ptfe", "PTFE"), (r"bpa", "BPA"), (r"tpu", "TPU"), (r"tpe", "TPE"),
    (r"isofix", "ISOFIX"), (r"aes", "AES"), (r"vg-10", "VG-10"), (r"tsa", "TSA"),
    (r"english", "English"), (r"german", "German"), (r"japanese", "Japanese"), (r"us(?= \d)", "US"),
    (r"xs to (x+l)", lambda m: "XS to " + m[1].upper()), (r"a(\d)", r"A\1"), (r"b5", "B5"),
    (r"aaa", "AAA"), (r"aa", "AA"), (r"e26", "E26"), (r"3d", "3D"), (r"s2", "S2"), (r"4k", "4K"),
    (r"tritan", "copolyester"), (r"ul", "UL"), (r"lan", "LAN"), (r"level a(\d)", r"level A\1"),
]
UNITS = {"w": "W", "hz": "Hz", "ghz": "GHz", "db": "dB", "gb": "GB", "tb": "TB", "mah": "mAh",
         "ah": "Ah", "v": "V", "nm": "Nm", "mb/s": "MB/s", "mbps": "Mbps", "pa": "Pa", "k": "K",
         "c": "°C", "hrc": "HRC", "atm": "ATM"}


def display(value):
    """`65 w` -> `65 W`, `usb-c` -> `USB-C`; leaves words that need no change."""
    if value in ("s", "m", "l"):
        return value.upper()
    for pattern, proper in PROPER:
        value = re.sub(rf"(?<![a-z]){pattern}(?![a-z])", proper, value)
    return re.sub(r"(?<=\d )([a-z/]+)(?![\w-])", lambda m: UNITS.get(m[1], m[1]), value)


ZH_UNITS = [
    ("square meters", "平方米"), ("months", "个月"), ("month", "个月"), ("people", "人"),
    ("person", "人"), ("days", "天"), ("cups", "杯"), ("degrees", "度"), ("min", "分钟"),
    ("h", "小时"), ("l", "升"), ("ml", "毫升"), ("kg", "千克"), ("g", "克"), ("cm", "厘米"),
    ("mm", "毫米"), ("m", "米"), ("in", "英寸"), ("w", "瓦"), ("db", "分贝"), ("lm", "流明"),
    ("cores", "核"), ("v", "伏"), ("nm", "牛·米"), ("years", "年"), ("c", "°C"), ("mah", "毫安时"),
]


def display_zh(value, words):
    """Chinese form of a raw value: whole-value translation first, then numbers with units."""
    if value in words:
        return words[value]
    text = value
    for unit, chinese in ZH_UNITS:
        text = re.sub(rf"(?<=\d) {re.escape(unit)}(?![\w/³-])", f" {chinese}", text)
    text = re.sub(r"(\d) to (\d)", r"\1 至 \2", text)
    for english, chinese in words.items():
        if re.search(rf"(?<![\w]){re.escape(english)}(?![\w])", text) and len(english) > 3:
            text = re.sub(rf"(?<![\w]){re.escape(english)}(?![\w])", chinese, text)
    return display(text)
