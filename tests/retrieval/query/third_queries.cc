// Seventy queries that walk through the list of conditions once more: shorter, ruder and in more
// languages than the first ones, Japanese for the first time. Some were written along with the
// rules that read them: they show what is covered, not how often it is right.
#include "tests/retrieval/query/query_table.h"

namespace emptor::retrieval::testing {
namespace {

constexpr QueryCase kQueries[] = {
    // Price
    {"$20 or cheaper headphones", "price<=2000USD", "headphones"},
    {"headphones cheaper than 80", "price<=8000USD", "headphones"},
    {"kettle sub $40", "price<=4000USD category=Kettles", "kettle"},
    {"gift ideas under £15", "price<=1500GBP", "gift ideas"},
    {"€30-€60 speaker", "price>=3000EUR price<=6000EUR category=Speakers", "speaker"},
    {"speaker $30 to $60", "price>=3000USD price<=6000USD category=Speakers", "speaker"},
    {"monitor <200€", "price<=20000EUR", "monitor"},
    {"monitor less than 200 usd", "price<=20000USD", "monitor"},
    {"not more than 100 euros mouse", "price<=10000EUR", "mouse"},
    {"mouse 25€", "", "mouse 25€"},
    {"headphones under 200 with at least 4 stars not sony in stock",
     "price<=20000USD rating>=4 stock=in_stock -brand=Sony", "headphones"},
    {"Fernseher unter 1.000 Euro", "price<=100000EUR", "Fernseher"},
    {"Fernseher unter 1.299,99 €", "price<=129999EUR", "Fernseher"},
    {"téléviseur moins de 1 000 euros", "price<=100000EUR", "téléviseur"},
    {"Maus für höchstens 20 Euro", "price<=2000EUR", "Maus"},
    {"casque de moins de 50€", "price<=5000EUR", "casque"},
    {"auriculares de menos de 50 euros", "price<=5000EUR", "auriculares"},
    {"5000円以下のヘッドホン", "price<=5000JPY", "のヘッドホン"},
    {"1万円以内のイヤホン", "price<=10000JPY", "のイヤホン"},
    {"3000円から5000円のマウス", "price>=3000JPY price<=5000JPY", "のマウス"},
    {"一千元以内的手机", "price<=100000CNY", "的手机"},
    // Brand
    {"Sony's headphones", "brand=Sony", "Sony's headphones"},
    {"SONY HEADPHONES", "brand=Sony", "SONY HEADPHONES"},
    {"headphones from Bose", "brand=Bose", "headphones from Bose"},
    {"Kopfhörer von Bose", "brand=Bose", "Kopfhörer von Bose"},
    {"casque de Bose", "brand=Bose", "casque de Bose"},
    {"ソニー以外のイヤホン", "-term=ソニー", "のイヤホン"},
    {"Sony以外のイヤホン", "-brand=Sony", "のイヤホン"},
    // Negation
    {"shoes that aren't leather", "-term=leather", "shoes that"},
    {"headphones but not bose", "-brand=Bose", "headphones but"},
    {"headphones, never samsung", "-brand=Samsung", "headphones,"},
    {"headphones minus bluetooth", "-term=bluetooth", "headphones"},
    {"Schuhe, kein Leder", "-term=leder", "Schuhe,"},
    {"chaussures qui ne sont pas en cuir", "-term=cuir", "chaussures qui ne sont"},
    {"zapatos que no sean de cuero", "-term=cuero", "zapatos que"},
    {"auriculares que no sean sony", "-brand=Sony", "auriculares que"},
    {"不要真皮的沙发", "-term=真皮", "的沙发"},
    // Colour, size, condition
    {"phone case in black or red", "color=black color=red category=Phone Cases",
     "phone case in black or red"},
    {"shirt red not blue", "color=red -color=blue", "shirt red"},
    {"blaue Schuhe Größe 42", "color=blue attr(size)=42", "blaue Schuhe Größe 42"},
    {"chaussures rouges pointure 42", "color=red attr(size)=42", "chaussures rouges pointure 42"},
    {"camiseta roja talla M", "color=red attr(size)=M", "camiseta roja talla M"},
    {"黒のイヤホン", "color=black", "黒のイヤホン"},
    {"赤いヘッドホン", "color=red", "赤いヘッドホン"},
    {"black friday deals", "", "black friday deals"},
    {"like new camera", "", "like new camera"},
    {"中古のカメラ", "condition=used", "中古のカメラ"},
    // Measures
    {"kettle 2 l or more", "range()>=2l category=Kettles", "kettle"},
    {"kettle at least 2000 ml", "range()>=2000ml category=Kettles", "kettle"},
    {"jug holding at least 2,5 l", "range()>=2.5l", "jug holding"},
    {"monitor 27 inches or larger", "range()>=27inches", "monitor"},
    {"monitor over 70 cm", "range()>70cm", "monitor"},
    {"tv between 40 and 50 inches", "range()>=40inches range()<=50inches", "tv"},
    {"laptop under 1.5 kg", "range()<1.5kg", "laptop"},
    {"ssd 500gb or bigger under 60", "price<=6000USD range()>=500gb", "ssd"},
    {"Monitor mindestens 27 Zoll", "range()>=27zoll", "Monitor"},
    {"Wasserkocher mit mindestens 1,7 Liter", "range()>=1.7liter", "Wasserkocher mit"},
    {"écran d'au moins 27 pouces", "range()>=27pouces", "écran"},
    {"televisor de más de 40 pulgadas", "range()>40pulgadas", "televisor de"},
    {"27英寸以上的显示器", "range()>=27inch", "的显示器"},
    {"27インチ以上のモニター", "range()>=27inch", "のモニター"},
    // Rating and stock
    {"kettle with 4.5+ stars", "rating>=4.5 category=Kettles", "kettle"},
    {"Kettle mindestens 4 Sterne", "rating>=4 category=Kettles", "Kettle"},
    {"bouilloire 4 étoiles et plus", "rating>=4", "bouilloire"},
    {"hervidor con al menos 4 estrellas", "rating>=4", "hervidor"},
    {"4星以上的水壶", "rating>=4", "的水壶"},
    {"星4以上のケトル", "rating>=4", "のケトル"},
    {"在庫ありのケトル", "stock=in_stock", "のケトル"},
    {"only in-stock kettles", "stock=in_stock category=Kettles", "kettles"},
    {"Wasserkocher sofort lieferbar", "stock=in_stock", "Wasserkocher"},
};

}  // namespace

std::span<const QueryCase> ThirdQueries() { return kQueries; }

}  // namespace emptor::retrieval::testing
