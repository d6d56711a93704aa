// Words of server-written pages in six languages, those of services/web/strings_*.js.
#include "services/api/page_words.h"

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_split.h"
#include "services/api/field_weight.h"

namespace emptor::services {
namespace {

constexpr PageWords kWords[] = {
    {.language = "en",
     .assistant = "Ask the assistant",
     .back_to_chat = "Back to the assistant",
     .shop = "Shop",
     .breadcrumbs = "You are here",
     .categories = "Categories",
     .products = "Products",
     .variants = "Variants",
     .pages = "Pages",
     .page = "Page",
     .previous = "Previous page",
     .next = "Next page",
     .was = "Was",
     .no_price = "Price on request",
     .rated = "Rating",
     .availability = {"In stock", "Out of stock", "Pre-order", "On back-order"},
     .nothing_here = "There are no products here at the moment.",
     .unknown_category = "The shop has no such category.",
     .unknown_category_help = "It may have been renamed, or the address is wrong. The shop's "
                              "categories are below, and the assistant finds any product.",
     .unknown_product = "This product is not in the catalog.",
     .unknown_product_help = "It may have been sold out for good, or the address is wrong.",
     .description = "Description"},
    {.language = "de",
     .assistant = "Den Assistenten fragen",
     .back_to_chat = "Zurück zum Assistenten",
     .shop = "Shop",
     .breadcrumbs = "Sie sind hier",
     .categories = "Kategorien",
     .products = "Produkte",
     .variants = "Varianten",
     .pages = "Seiten",
     .page = "Seite",
     .previous = "Vorherige Seite",
     .next = "Nächste Seite",
     .was = "Statt",
     .no_price = "Preis auf Anfrage",
     .rated = "Bewertung",
     .availability = {"Auf Lager", "Nicht vorrätig", "Vorbestellbar", "Nachbestellt"},
     .nothing_here = "Hier gibt es zurzeit keine Produkte.",
     .unknown_category = "Diese Kategorie gibt es im Shop nicht.",
     .unknown_category_help =
         "Vielleicht heißt sie jetzt anders, oder die Adresse stimmt nicht. Unten stehen die "
         "Kategorien des Shops, und der Assistent findet jedes Produkt.",
     .unknown_product = "Dieses Produkt ist nicht im Katalog.",
     .unknown_product_help =
         "Vielleicht ist es endgültig ausverkauft, oder die Adresse ist falsch.",
     .description = "Beschreibung"},
    {.language = "fr",
     .assistant = "Demander à l’assistant",
     .back_to_chat = "Retour à l’assistant",
     .shop = "Boutique",
     .breadcrumbs = "Vous êtes ici",
     .categories = "Catégories",
     .products = "Produits",
     .variants = "Variantes",
     .pages = "Pages",
     .page = "Page",
     .previous = "Page précédente",
     .next = "Page suivante",
     .was = "Avant",
     .no_price = "Prix sur demande",
     .rated = "Note",
     .availability = {"En stock", "Épuisé", "Précommande", "En réapprovisionnement"},
     .nothing_here = "Il n’y a pas de produits ici pour le moment.",
     .unknown_category = "La boutique n’a pas cette catégorie.",
     .unknown_category_help =
         "Elle a peut-être changé de nom, ou l’adresse est incorrecte. Les catégories de la "
         "boutique sont ci-dessous, et l’assistant trouve tous les produits.",
     .unknown_product = "Ce produit n’est pas au catalogue.",
     .unknown_product_help = "Il est peut-être définitivement épuisé, ou l’adresse est fausse.",
     .description = "Description"},
    {.language = "es",
     .assistant = "Preguntar al asistente",
     .back_to_chat = "Volver al asistente",
     .shop = "Tienda",
     .breadcrumbs = "Está aquí",
     .categories = "Categorías",
     .products = "Productos",
     .variants = "Variantes",
     .pages = "Páginas",
     .page = "Página",
     .previous = "Página anterior",
     .next = "Página siguiente",
     .was = "Antes",
     .no_price = "Precio a consultar",
     .rated = "Valoración",
     .availability = {"Disponible", "Agotado", "Preventa", "Bajo pedido"},
     .nothing_here = "Aquí no hay productos en este momento.",
     .unknown_category = "La tienda no tiene esta categoría.",
     .unknown_category_help =
         "Puede que tenga otro nombre, o que la dirección no sea correcta. Debajo están las "
         "categorías de la tienda, y el asistente encuentra cualquier producto.",
     .unknown_product = "Este producto no está en el catálogo.",
     .unknown_product_help =
         "Puede que se haya agotado para siempre o que la dirección sea incorrecta.",
     .description = "Descripción"},
    {.language = "zh",
     .assistant = "询问购物助手",
     .back_to_chat = "返回助手",
     .shop = "商店",
     .breadcrumbs = "当前位置",
     .categories = "分类",
     .products = "商品",
     .variants = "款式",
     .pages = "分页",
     .page = "页",
     .previous = "上一页",
     .next = "下一页",
     .was = "原价",
     .no_price = "价格请咨询",
     .rated = "评分",
     .availability = {"有货", "缺货", "预售", "可预订"},
     .nothing_here = "这里暂时没有商品。",
     .unknown_category = "商店没有这个分类。",
     .unknown_category_help =
         "分类可能已改名，或者地址有误。下面是商店的分类，购物助手也能找到任何商品。",
     .unknown_product = "目录中没有此商品。",
     .unknown_product_help = "它可能已经下架，或者网址有误。",
     .description = "商品介绍"},
    {.language = "ar",
     .right_to_left = true,
     .assistant = "اسأل المساعد",
     .back_to_chat = "العودة إلى المساعد",
     .shop = "المتجر",
     .breadcrumbs = "أنت هنا",
     .categories = "الفئات",
     .products = "المنتجات",
     .variants = "الأنواع",
     .pages = "الصفحات",
     .page = "الصفحة",
     .previous = "الصفحة السابقة",
     .next = "الصفحة التالية",
     .was = "كان",
     .no_price = "السعر عند الطلب",
     .rated = "التقييم",
     .availability = {"متوفر", "غير متوفر", "طلب مسبق", "قيد إعادة التوفير"},
     .nothing_here = "لا توجد منتجات هنا حاليًا.",
     .unknown_category = "لا توجد هذه الفئة في المتجر.",
     .unknown_category_help = "ربما تغيّر اسمها أو أن العنوان غير صحيح. فئات المتجر أدناه، "
                              "والمساعد يجد أي منتج.",
     .unknown_product = "هذا المنتج غير موجود في الكتالوج.",
     .unknown_product_help = "ربما نفد نهائيًا، أو أن العنوان غير صحيح.",
     .description = "الوصف"},
};

const PageWords* WordsOf(std::string_view tag) {
  const std::string_view language = tag.substr(0, tag.find('-'));
  for (const PageWords& words : kWords) {
    if (absl::EqualsIgnoreCase(absl::string_view(words.language.data(), words.language.size()),
                               absl::string_view(language.data(), language.size()))) {
      return &words;
    }
  }
  return nullptr;
}

}  // namespace

const PageWords& ChoosePageWords(std::string_view accept_language) {
  const PageWords* best = &kWords[0];
  double best_weight = 0;
  for (absl::string_view part :
       absl::StrSplit(absl::string_view(accept_language.data(), accept_language.size()), ',')) {
    part = absl::StripAsciiWhitespace(part);
    const std::string_view range(part.data(), part.size());
    const size_t end = range.find_first_of("; ");
    const PageWords* words = WordsOf(range.substr(0, end));
    const double weight = end == std::string_view::npos ? 1 : WeightOf(range.substr(end));
    if (words == nullptr || weight <= best_weight) continue;
    best = words;
    best_weight = weight;
  }
  return *best;
}

}  // namespace emptor::services
