// Queries that a shopper typed at real catalogs and that were misread: each failed before its rule
// was there, and the names next to them show what the rule must not match.
#include "tests/retrieval/query/query_table.h"

namespace emptor::retrieval::testing {
namespace {

constexpr QueryCase kQueries[] = {
    // Amounts glued to their currency, and currencies by more of their names
    {"mouse under 50eur", "price<=5000EUR", "mouse"},
    {"Maus unter 49,99euro", "price<=4999EUR", "Maus"},
    {"Fernseher bis 1.000eur", "price<=100000EUR", "Fernseher"},
    {"mouse under usd50", "price<=5000USD", "mouse"},
    {"mouse under US$50", "price<=5000USD", "mouse"},
    {"mouse under C$50", "price<=5000CAD", "mouse"},
    {"mouse under $50 CAD", "price<=5000CAD", "mouse"},
    {"mouse under $50 USD", "price<=5000USD", "mouse"},
    {"mouse under €50 EUR please", "price<=5000EUR", "mouse please"},
    {"cable for rs 232", "", "cable for rs 232"},
    {"rs232 cable", "", "rs232 cable"},
    {"50ドル以下のマウス", "price<=5000USD", "のマウス"},
    {"30ユーロ以下のマウス", "price<=3000EUR", "のマウス"},
    {"100美金以下的耳机", "price<=10000USD", "的耳机"},
    // Numbers of several multipliers
    {"1万5千円以下のイヤホン", "price<=15000JPY", "のイヤホン"},
    {"1万5000円以下のイヤホン", "price<=15000JPY", "のイヤホン"},
    {"三千五百元以内的手机", "price<=350000CNY", "的手机"},
    {"三百五十元以内的手机", "price<=35000CNY", "的手机"},
    {"laptop under two thousand five hundred dollars", "price<=250000USD", "laptop"},
    {"laptop under 2 hundred 3 years warranty", "", "laptop under 2 hundred 3 years warranty"},
    // Bounds
    {"mouse upto 30", "price<=3000USD", "mouse"},
    {"mouse less then 30", "price<=3000USD", "mouse"},
    {"laptop 500 or less", "price<=50000USD", "laptop"},
    {"Maus 50 oder weniger", "price<=5000USD", "Maus"},
    {"sneakers 44 or less inches", "", "sneakers 44 or less inches"},
    {"dress size 42 or less", "attr(size)=42", "dress size 42 or less"},
    {"kids 12 and under", "", "kids 12 and under"},
    {"mouse ~$40", "price>=3000USD price<=5000USD", "mouse"},
    {"mouse approx 40", "price>=3000USD price<=5000USD", "mouse"},
    {"27~32 inch tv", "", "27~32 inch tv"},
    // Names that end in "max"
    {"nike air max 90", "", "nike air max 90"},
    {"iphone 14 pro max 256gb", "", "iphone 14 pro max 256gb"},
    {"iphone 14 pro max 256", "", "iphone 14 pro max 256"},
    {"headphones max 90", "price<=9000USD", "headphones"},
    // Both are wanted, or neither
    {"sony vs samsung tv", "brand=Sony brand=Samsung", "sony vs samsung tv"},
    {"headphones neither sony nor bose", "-brand=Sony -brand=Bose", "headphones"},
    {"Kopfhörer weder von Sony noch Bose", "-brand=Sony -brand=Bose", "Kopfhörer"},
    {"casque sans bluetooth ni wifi", "-term=bluetooth -term=wifi", "casque"},
    {"headphones exclude sony", "-brand=Sony", "headphones"},
    {"aa ni mh batteries", "", "aa ni mh batteries"},
    // Quantities that are not wanted
    {"monitor not 27 inch", "-term=27 inch", "monitor"},
    {"monitor not 27\"", "-term=27\"", "monitor"},
    {"not 27-inch monitor", "-term=27-inch", "monitor"},
    {"Monitor ohne 27 Zoll", "-term=27 zoll", "Monitor"},
    {"headset without 2 m cable", "", "headset without 2 m cable"},
    {"hose not 1/2 inch", "", "hose not 1/2 inch"},
    // Boundaries that only a mutation of the code missed
    {"laptop for 500 or less", "price<=50000USD", "laptop"},
    {"laptops available in the berlin mitte store", "place=Berlin Mitte", "laptops"},
    {"mouse\x01under $30\x7f", "price<=3000USD", "mouse"},
    {"shoes not too", "", "shoes not too"},
    {"mouse from $20 to $20", "price>=2000USD price<=2000USD", "mouse"},
    {"mouse $40-$20", "", "mouse $40-$20"},
    {"mouse between $20 and", "", "mouse between $20 and"},
    {"yacht under 1.000.000 EUR", "price<=100000000EUR", "yacht"},
    {"yacht under 1 000 000", "", "yacht under 1 000 000"},
    {"mouse under $30 to spend", "price<=3000USD", "mouse"},
    {"mouse over 3", "", "mouse over 3"},
    {"monitor between 27", "", "monitor between 27"},
    {"monitor between 24 of 27 inches", "", "monitor between 24 of 27 inches"},
    {"shoes size", "", "shoes size"},
    {"used to like kettles", "", "used to like kettles"},
    {"a used 42", "", "a used 42"},
    // Denied minima
    {"drone, it shouldn't cost more than 150 dollars", "price<=15000USD",
     "drone, it shouldn't cost"},
    {"drone, should not cost more than 150 dollars", "price<=15000USD", "drone, should not cost"},
    {"drone, shouldnt cost more than 150", "price<=15000USD", "drone, shouldnt cost"},
    {"drone, I don't want to spend more than 150", "price<=15000USD",
     "drone, I don't want to spend"},
    {"drone, do not want to spend more than $150", "price<=15000USD",
     "drone, do not want to spend"},
    {"drone, I don't want to pay over $150", "price<=15000USD", "drone, I don't want to pay"},
    {"drone for not more than 150 dollars", "price<=15000USD", "drone"},
    {"drone for more than 150 dollars", "price>=15000USD", "drone"},
    {"drone that costs more than 150 dollars", "price>=15000USD", "drone that costs"},
    {"I want to spend more than 150 dollars on a drone", "price>=15000USD",
     "I want to spend on a drone"},
    {"monitor under 300 then", "price<=30000USD", "monitor then"},
    {"monitor under 300 pls", "price<=30000USD", "monitor pls"},
    {"drone not loud but more than 150 dollars", "price>=15000USD", "drone not loud but"},
    // As phones write German, French, Spanish and Chinese
    {"fernseher uber 300 euro", "price>=30000EUR", "fernseher"},
    {"fernseher nicht teurer als 300 euro", "price<=30000EUR", "fernseher"},
    {"kopfhörer 50 euro maximal", "price<=5000EUR", "kopfhörer"},
    {"casque a partir de 20 euros", "price>=2000EUR", "casque"},
    {"casque qui dépasse pas 50 euros", "price<=5000EUR", "casque qui"},
    {"casque 50 euros maxi", "price<=5000EUR", "casque"},
    {"lavadora que no pase de 300 euros", "price<=30000EUR", "lavadora que"},
    {"lavadora de 300 euros como mucho", "price<=30000EUR", "lavadora de"},
    {"lavadora menos de doscientos euros", "price<=20000EUR", "lavadora"},
    {"一千五以内的手机", "price<=150000USD", "的手机"},
    {"三百一个以内", "", "三百一个以内"},
    {"手机别超过2000元", "price<=200000CNY", "手机"},
    {"200元内的耳机", "price<=20000CNY", "的耳机"},
    // Budgets in other words.
    {"desk lamp, maybe 50 bucks", "price>=3750USD price<=6250USD", "desk lamp,"},
    {"headphones, like 150 or so", "price>=11250USD price<=18750USD", "headphones,"},
    {"headphones 150 or so", "price>=11250USD price<=18750USD", "headphones"},
    {"kettle, 60 dollars", "category=Kettles price<=6000USD", "kettle,"},
    {"Kopfhörer, vielleicht 80 Dollar", "price>=6000USD price<=10000USD", "Kopfhörer,"},
    {"auriculares, quizás 80 dólares", "price>=6000USD price<=10000USD", "auriculares,"},
    {"like 5 chairs", "", "like 5 chairs"},
    {"tent not heavier than 6 kg", "range(weight)<=6kg", "tent"},
    {"27 or so inches monitor", "", "27 or so inches monitor"},
};

}  // namespace

std::span<const QueryCase> FourthQueries() { return kQueries; }

}  // namespace emptor::retrieval::testing
