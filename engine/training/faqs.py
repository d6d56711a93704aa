"""Shop questions that an FAQ or a document answers: one topic a line, wordings first, then possible answers.

Numbers in answers are written `#` and filled in at random: the model must not learn them, it only refers to them.
"""

# Topics that no shop has, put together for training.
SUBJECT_KINDS = "service plan club card program fee day desk policy offer line team form fund pass round check lesson".split()
SUBJECT_WORDINGS = [
    "do you offer {x}", "how does {x} work", "what is the {x}", "{x}", "can i get a {x}", "where do i find {x}", "how do i use {x}",
    "is there a {x}", "tell me about the {x}", "when is the {x}", "how long does the {x} take", "who does the {x}", "i need a {x}",
    "how much is the {x}", "do you have a {x}", "can i cancel the {x}", "who gets the {x}", "what do i need for the {x}",
    "is the {x} free", "how do i join the {x}", "i have a question about {x}", "explain {x}",
]  # fmt: skip
SUBJECT_ANSWERS = [
    "The {x} is available for # days after the order.", "Ask for the {x} at checkout; it costs $#.",
    "We offer the {x} in # stores.", "There is no {x} at the moment.", "Write to us and mention {x}; we reply within # hours.",
]  # fmt: skip

_TRAINING = """
how long does shipping take/when will my order arrive/what are the delivery times/how fast is delivery/how many days until i get my package/shipping time/delivery time to my house/how soon can i have it|Standard shipping takes # to # business days./Orders placed before noon leave the same day and arrive in # days.
how much is shipping/is shipping free/do you offer free shipping/what does delivery cost/shipping cost/do i have to pay for postage/delivery fee|Shipping is free on orders over $#; otherwise it costs $#./Delivery costs a flat $# in the whole country.
do you ship internationally/can you deliver abroad/do you ship to canada/which countries do you ship to/international shipping/can i order from europe|We ship to # countries. Duties are paid by the customer./We only deliver within the country at the moment.
do you offer express shipping/can i get next day delivery/is there overnight shipping/i need it tomorrow, is that possible/rush delivery|Express delivery costs $# and takes # day./Next day delivery is available in most cities for $#.
what is your return policy/can i return an item/how long do i have to return something/do you accept returns/can i send it back/return window/i don't like it, can i bring it back/what if it doesn't fit|You can return unused items within # days for a full refund./Returns are accepted for # days with the receipt.
how do i return something/how does a return work/where do i send returns/return label/how to start a return/steps to send an item back|Start a return in your account, print the label and drop the parcel off within # days./Email us your order number and we send you a return label.
who pays for return shipping/are returns free/do i have to pay to send it back/return shipping cost|Return shipping is free./We take $# off your refund for return shipping.
when do i get my refund/how long do refunds take/where is my refund/when will i get my money back/refund time|Refunds reach your account within # business days after we receive the item./We refund the original payment method in # to # days.
can i exchange an item/can i swap it for another size/how do exchanges work/exchange policy/i want a different color instead|Exchanges are free within # days of delivery./Please return the item and place a new order.
what warranty do you offer/is there a warranty on your products/are products under warranty/how long is the guarantee/what if it breaks after a year/warranty policy|All products come with a #-year limited warranty./Our warranty covers defects for # months from purchase.
how do i make a warranty claim/my product is broken/it stopped working what now/how to claim warranty/it arrived damaged/my item came broken|Send a photo and your order number to our support team; we reply within # hours./Contact us within # days and we send a replacement.
how can i pay/which payment methods do you accept/do you take cards/can i pay with paypal/do you accept apple pay/payment options/is visa ok|We accept Visa, Mastercard, PayPal and gift cards./You can pay by card, bank transfer or cash on delivery.
can i pay in installments/do you offer financing/pay later/can i pay monthly/do you have klarna/buy now pay later|Pay in # installments without interest on orders over $#./Financing for up to # months is available at checkout.
how do i contact support/can i talk to someone/what is your phone number/customer service/how do i reach you/i want to speak to a human/email address|Call us on weekdays from # to # or write to support@example.com./Our chat is open every day until # pm.
what are your opening hours/when are you open/are you open on sunday/store hours/what time do you close/business hours|The store is open Monday to Saturday from # am to # pm./We are open every day until # pm.
where are your stores/do you have a physical store/where are you located/store near me/what is your address/can i visit you|Our store is at # Harbor Street./We have # stores; the store finder lists them all.
can i pick up my order/do you offer store pickup/click and collect/can i collect it in the store/in store pickup|Pickup is free and ready within # hours./Choose your store at checkout; we hold orders for # days.
do you price match/will you match a competitor price/i saw it cheaper elsewhere/price match policy/can you beat another shop's price|We match competitor prices within # days of purchase./We do not match prices of other shops.
do you have a student discount/is there a discount code/do you have coupons/promo code/any discounts for new customers/how do i get a discount/military discount|Students save # percent with a valid card./Sign up for our newsletter and get # percent off your first order.
do you sell gift cards/can i buy a gift card/gift voucher/how do gift cards work/is there a gift certificate|Gift cards are available from $# to $# and never expire./Digital gift cards arrive by email in # minutes.
do you gift wrap/can you wrap it as a present/gift wrapping/can i add a card with a message/is it possible to wrap|Gift wrapping costs $# per item./We wrap gifts for free in December.
how do i track my order/where is my order/track my package/where is my package/order status/has my order shipped|Use the tracking link in your shipping email./Sign in and open your orders to see where the parcel is.
can i cancel my order/how do i cancel/i changed my mind, stop my order/cancel an order/i ordered by mistake|Orders can be cancelled within # minutes in your account./Call us at once; we cannot stop an order that has left.
can i change my order/change the delivery address/i entered the wrong address/edit my order/can i add an item to my order|You can edit the address until the order is packed./Contact us within # hours to change an order.
do i need an account/can i order without an account/guest checkout/do i have to sign up/how do i create an account/register|You can check out as a guest./Create an account with your email in under # minute.
i forgot my password/how do i reset my password/i can't log in/login problems/password reset|Choose forgot password and follow the link that we send you./Links to reset the password are valid for # hours.
is my data safe/what do you do with my data/privacy policy/do you sell my information/is payment secure|We never sell your data and encrypt all payments./You can ask us to delete your data within # days.
do you have a loyalty program/do i get points/rewards program/membership benefits/how do i earn points/is there a club|Earn # points for each dollar; # points give $# off./Members get free shipping and early access to sales.
do you offer installation/can you assemble it for me/do you install appliances/setup service/will someone put it together|Installation costs $# and is booked at checkout./Our team assembles furniture in your home for $#.
do you take old appliances/recycling/can you take my old one away/haul away/do you recycle batteries|We take away your old appliance for $# when we deliver./Bring used batteries to any of our stores.
do you have a size guide/which size should i take/how do sizes run/size chart/how do i find my size/do your clothes run small|Measure your chest and compare it with the size chart; most items run true to size./Choose one size up if you are between two sizes.
do you restock/when will it be back/will you get more/out of stock items/how do i get notified/restock|Press notify me on the product page; most items return within # weeks./We restock every # days.
can i preorder/how do preorders work/when do preorders ship/when am i charged for a preorder|Preorders are charged when they ship, usually in # weeks./Pay now and we send it on release day.
do you sell to businesses/bulk discount/wholesale/can i order in bulk/company invoice/volume pricing/b2b|Orders over # units get # percent off./Business customers can pay by invoice within # days.
how do i clean a cast iron pan/how to season cast iron/can i use soap on cast iron/cast iron care|Wash it by hand, dry it well and rub in a little oil./Heat it with oil for # minutes.
how do i descale my kettle/descaling/there is white stuff in my kettle/how often should i descale/limescale|Boil equal parts of water and vinegar and rinse # times./Descale every # weeks in areas with hard water.
how do i wash wool/can wool go in the washing machine/wool care/my sweater shrank how to avoid it|Wash wool by hand in cold water and dry it flat./Use the wool program at # degrees.
how do i choose a mattress/which firmness is right for me/mattress buying guide/what mattress for back pain|Side sleepers need a softer mattress, back sleepers a firmer one./Try it for # nights at home.
how do i choose a laptop/what laptop do i need for school/laptop buying guide/how much memory do i need|For school # GB of memory is enough; for video choose # GB./Think first of weight and battery life.
how do i measure for curtains/how wide should curtains be/curtain guide|Measure the rail and multiply by #./Curtains should end # cm above the floor.
are your products authentic/do you sell originals/is this genuine/are these fake/is it an authorized dealer|All products come straight from the brands./We are an authorized dealer of every brand that we sell.
do you sell used items/refurbished products/second hand/open box items/what does refurbished mean|Refurbished items are tested and carry a # month warranty./We only sell new products.
do you charge sales tax/is tax included/vat/are prices with tax/do i pay import duty|Prices include tax./Sales tax is added at checkout where it applies.
how do reviews work/can i write a review/are your reviews real/how do i leave a review|Only customers who bought the item can review it./We send you a link to review # days after delivery.
what is your environmental policy/are you sustainable/is your packaging recyclable/plastic free packaging/carbon neutral|Our packaging is # percent recycled./We plant a tree for each order.
do you have jobs/are you hiring/how do i apply/careers|See our open positions on the careers page./Send your application to jobs@example.com.
will you deliver to a po box/can you ship to a parcel locker/deliver to my neighbor/leave at the door|We deliver to parcel lockers but not to PO boxes./Tell us a safe place at checkout.
can i get an invoice/where is my receipt/i need a receipt/invoice for my order|The invoice is attached to your order confirmation./Download receipts from your account for # years.
what is the minimum order/is there a minimum order value/can i order just one|There is no minimum order./The minimum order is $#.
do you repair/repair service/can you fix my watch/spare parts/do you sell replacement parts|We repair most items for $#./Spare parts are available for # years.
"""

_HELD_OUT = """
do you rent out equipment/can i rent one for the weekend/rental service/hire a tool|Tools can be rented from $# a day./We do not rent out products.
do you engrave/can you put a name on it/personalization/custom engraving/monogram|Engraving costs $# and adds # days./Up to # letters can be engraved for free.
is there a trial period/can i try it at home first/try before you buy/test it for a while|Try it for # nights and send it back if you are not happy./There is a # day trial.
how do i unsubscribe/stop sending me emails/newsletter unsubscribe/too many emails from you|Click unsubscribe at the bottom of any email./Change your email settings in your account.
do you offer a subscription/can i get it every month/auto delivery/recurring order|Subscribe and save # percent on every delivery./You can pause a subscription at any time.
do you have an app/is there a mobile app/can i shop on my phone/where do i download the app|The app is free in both app stores./We have no app, the website works on phones.
"""


def _parse(table: str) -> list[tuple[list[str], list[str]]]:
    topics = []
    for line in table.strip().splitlines():
        wordings, answers = line.split("|")
        topics.append((wordings.split("/"), answers.split("/")))
    return topics


TRAINING = _parse(_TRAINING)
HELD_OUT = _parse(_HELD_OUT)
