// Queries that were written when the first ones passed.
#include "tests/retrieval/query/query_table.h"

namespace emptor::retrieval::testing {
namespace {

constexpr QueryCase kQueries[] = {
    {"speaker under 80 euros", "price<=8000EUR category=Speakers", "speaker"},
    {"usb hub for $15", "price<=1500USD", "usb hub"},
    {"something nice for fifty dollars", "price<=5000USD", "something nice"},
    {"drill press priced under 90", "price<=9000USD", "drill press"},
    {"camera 300 dollars or less, black", "price<=30000USD color=black", "camera , black"},
    {"camera at least 300 dollars", "price>=30000USD", "camera"},
    {"red samsung phone below 400", "price<=40000USD brand=Samsung color=red", "red samsung phone"},
    {"monitor under 300 not lg or samsung in stock",
     "price<=30000USD stock=in_stock -brand=LG -brand=Samsung", "monitor"},
    {"wireless mouse without usb dongle", "-term=usb dongle", "wireless mouse"},
    {"wireless mouse, no usb receiver", "-term=usb receiver", "wireless mouse,"},
    {"shoes that aren't leather", "-term=leather", "shoes that"},
    {"toaster without timer under 40 euros", "price<=4000EUR -term=timer", "toaster"},
    {"shirt excluding red", "-color=red", "shirt"},
    {"shirt besides red, blue and white", "-color=red -color=blue -color=white", "shirt"},
    {"not sony headphones", "-brand=Sony", "headphones"},
    {"i don't want bose speakers", "-brand=Bose category=Speakers", "i speakers"},
    {"black & decker drill", "brand=Black & Decker", "black & decker drill"},
    {"drill not black & decker", "-brand=Black & Decker", "drill"},
    {"vacuum cleaner w/o bag", "-term=bag", "vacuum cleaner"},
    {"laptop without touch screen between 500 and 900 euros",
     "price>=50000EUR price<=90000EUR -term=touch screen", "laptop"},
    {"keyboard that does not need batteries", "-term=batteries", "keyboard that does"},
    {"is the sony in stock", "brand=Sony", "is the sony in stock"},
    {"what is not included", "", "what is not included"},
    {"do not disturb sign", "", "do not disturb sign"},
    {"notebook", "", "notebook"},
    {"forget me not seeds", "", "forget me not seeds"},
    {"size 42 shoes", "attr(size)=42", "size 42 shoes"},
    {"size 43 shoes", "", "size 43 shoes"},
    {"tv smaller than 40 inches", "range()<40inches", "tv"},
    {"tv larger than 55\"", "range()>55inch", "tv"},
    {"bag with weight below 900 g", "range(weight)<900g", "bag with weight"},
    {"memory card 64 GB or more", "range()>=64gb", "memory card"},
    {"bottle up to 2 litres", "range()<=2litres", "bottle"},
    {"cable at least 3 m", "range()>=3m", "cable"},
    {"bed 200 cm", "", "bed 200 cm"},
    {"capacity 2 l jug", "range(capacity)>=2l range(capacity)<=2l", "capacity jug"},
    {"pen drive 16gb", "", "pen drive 16gb"},
    {"over 4 stars blender", "rating>=4", "blender"},
    {"top rated blender under 60", "price<=6000USD rating>=4", "blender"},
    {"blender with good reviews", "rating>=4", "blender"},
    {"Staubsauger ohne Beutel bis 150 Euro", "price<=15000EUR -term=beutel", "Staubsauger"},
    {"Monitor mindestens 300 Euro nicht von Samsung", "price>=30000EUR -brand=Samsung", "Monitor"},
    {"gebrauchte Kamera in schwarz", "condition=used color=black", "gebrauchte Kamera in schwarz"},
    {"Lautsprecher auf Lager in Köln", "place=Köln", "Lautsprecher"},
    {"aspirateur sans sac moins de 100 euros", "price<=10000EUR -term=sac", "aspirateur"},
    {"téléphone noir disponible", "color=black stock=in_stock", "téléphone noir"},
    {"altavoz sin cable desde 50 euros", "price>=5000EUR -term=cable", "altavoz"},
    {"cámara que no cueste más de 200 euros", "price<=20000EUR", "cámara que"},
    {"预算500元的手机", "price<=50000CNY", "的手机"},
    {"500元以下的红色手机", "price<=50000CNY color=red", "的红色手机"},
    {"手机不要红色", "-color=red", "手机"},
    {"除了sony以外的耳机", "-brand=Sony", "的耳机"},
    {"二手相机", "condition=used", "二手相机"},
    {"高于200元的耳机", "price>=20000CNY", "的耳机"},
};

}  // namespace

std::span<const QueryCase> LaterQueries() { return kQueries; }

}  // namespace emptor::retrieval::testing
