"""What the made-up shops sell: product types with the attributes that such listings carry, and FAQ topics.

A group a line: types | attribute concepts of concepts.py. Groups under HELD_OUT never occur in training.
"""

_TRAINING = """
laptop,gaming laptop,ultrabook,notebook computer,chromebook | screen size,resolution,refresh rate,memory,storage,processor,graphics,operating system,battery life,weight,color,backlight,connectivity,warranty
smartphone,phone,flip phone | screen size,memory,storage,processor,camera,battery capacity,5g,operating system,charging time,color,weight,water resistance rating
tablet,e-reader,drawing tablet | screen size,storage,memory,battery life,operating system,display,color,weight,waterproof,includes
headphones,wireless earbuds,gaming headset,over-ear headphones | battery life,noise cancelling,driver size,frequency response,microphone,connectivity,bluetooth,color,weight,water resistance rating,charging time,compatibility,foldable
bluetooth speaker,soundbar,bookshelf speaker,turntable,radio | power,battery life,bluetooth,connectivity,frequency response,waterproof,color,dimensions,weight,includes
4K TV,smart TV,monitor,projector,curved monitor | screen size,resolution,refresh rate,panel type,hdmi ports,smart features,brightness,connectivity,energy rating,mounting type,warranty,weight
printer,label printer,photo printer,scanner | print technology,print speed,duplex printing,connectivity,compatibility,paper size,color,dimensions,weight,warranty
mechanical keyboard,keyboard,wireless mouse,gaming mouse,webcam | switch type,backlight,dpi,connectivity,battery life,compatibility,wireless,color,weight,cable length,microphone,resolution
action camera,digital camera,security camera,dash cam,camcorder | video quality,resolution,zoom,field of view,night vision,battery life,storage,waterproof,connectivity,weight,includes,microphone
smartwatch,fitness tracker,wrist watch,pocket watch | movement,band material,battery life,water resistance rating,display,compatibility,diameter,color,connectivity,warranty
power bank,charger,USB cable,extension cord,adapter | battery capacity,power,connectivity,cable length,voltage,charging time,color,weight,compatibility,safety features
router,mesh system,network switch,hard drive,USB stick | speed,storage,connectivity,room size,compatibility,dimensions,warranty,color,operating system
kettle,electric kettle,teapot,gooseneck kettle | capacity,power,material,color,auto shut-off,temperature range,dishwasher safe,cable length,weight,warranty,noise level
coffee maker,espresso machine,french press,coffee grinder | capacity,power,pressure,grinder,milk frother,timer,bowl material,color,auto shut-off,dishwasher safe,dimensions,filter type
blender,stand mixer,food processor,hand mixer,juicer | power,capacity,number of settings,bowl material,blade material,dishwasher safe,color,weight,noise level,includes,warranty
toaster,air fryer,microwave,toaster oven,slow cooker,rice cooker | capacity,power,number of slots,programs,temperature range,timer,color,dishwasher safe,dimensions,non-stick,includes,auto shut-off
frying pan,saucepan,wok,dutch oven,baking sheet,casserole dish | material,diameter,induction compatible,oven safe,non-stick,dishwasher safe,capacity,weight,color,care instructions,warranty
chef knife,knife set,cutting board,peeler,kitchen scissors | blade material,blade length,material,number of pieces,dishwasher safe,weight,color,length,country of origin
dinner plate set,mug,wine glass,cutlery set,serving bowl | material,number of pieces,capacity,diameter,dishwasher safe,color,oven safe,finish,country of origin
water bottle,travel mug,lunch box,thermos,cooler | capacity,material,insulation,dishwasher safe,color,weight,height,includes,waterproof
refrigerator,dishwasher,washing machine,dryer,freezer,oven | capacity,energy rating,noise level,width,height,depth,programs,color,display,warranty,number of shelves,voltage
vacuum cleaner,robot vacuum,steam mop,carpet cleaner,handheld vacuum | suction power,dust capacity,filter type,battery life,noise level,weight,cable length,charging time,wireless,includes,power
air purifier,humidifier,fan,space heater,air conditioner,dehumidifier | room size,noise level,filter type,power,timer,capacity,cooling capacity,number of settings,auto shut-off,weight,dimensions,safety features
iron,garment steamer,sewing machine,clothes rack | power,capacity,cable length,weight,auto shut-off,number of settings,color,includes,weight capacity
sofa,sectional sofa,loveseat,armchair,recliner,ottoman | seating capacity,upholstery,color,width,depth,height,seat height,weight capacity,assembly required,style,fill material,country of origin
dining table,coffee table,desk,side table,console table,standing desk | material,color,width,height,depth,weight capacity,assembly required,style,finish,number of drawers,adjustable,seating capacity
office chair,gaming chair,bar stool,dining chair,bench | upholstery,weight capacity,seat height,adjustable,assembly required,color,material,wheels,warranty,weight,style
bookcase,dresser,nightstand,wardrobe,tv stand,shoe rack,cabinet | material,number of drawers,number of shelves,width,height,depth,assembly required,color,weight capacity,style,finish
mattress,mattress topper,bed frame,crib,bunk bed | firmness,thickness,size,material,fill material,weight capacity,assembly required,height,warranty,sustainability,color
pillow,duvet,blanket,sheet set,quilt,throw | fill material,material,size,thread count,machine washable,color,weight,sustainability,care instructions,number of pieces
curtain,area rug,doormat,tablecloth,shower curtain,towel set | material,size,color,machine washable,length,width,thickness,style,number of pieces,care instructions
floor lamp,table lamp,chandelier,pendant light,ceiling light,night light,string lights | bulb type,dimmable,brightness,color temperature,number of lights,height,finish,material,cable length,style,power,battery type
mirror,wall clock,picture frame,vase,candle,wall art | dimensions,material,finish,color,style,mounting type,weight,scent,diameter,battery type
faucet,shower head,toilet seat,sink,bath mat | flow rate,finish,material,mounting type,dimensions,color,weight capacity,warranty,includes
jacket,rain coat,hoodie,sweater,parka,vest | material,color,size,waterproof,hood,pockets,lining,fit,closure,care instructions,machine washable,weight
t-shirt,shirt,blouse,polo shirt,tank top | material,color,size,fit,neckline,care instructions,machine washable,pockets,country of origin,sustainability
jeans,trousers,shorts,leggings,skirt,dress | material,color,size,fit,closure,pockets,length,care instructions,machine washable,lining,country of origin
running shoes,hiking boots,sneakers,sandals,loafers,heels,slippers | material,color,size,closure,sole material,weight,waterproof,heel height,lining,fit
backpack,suitcase,tote bag,messenger bag,duffel bag,wallet,handbag | capacity,material,color,laptop compartment,weight,dimensions,waterproof,wheels,lock type,pockets,closure,warranty
ring,necklace,earrings,bracelet,brooch | metal,gemstone,length,size,weight,finish,country of origin,closure,color
sunglasses,reading glasses,umbrella,scarf,gloves,belt,hat | material,color,lens material,uv protection,size,waterproof,lining,length,weight
face cream,sunscreen,shampoo,body lotion,lip balm,serum,soap | skin type,scent,ingredients,vegan,cruelty free,spf,capacity,shelf life,country of origin,organic
hair dryer,electric shaver,toothbrush,hair straightener,trimmer | power,battery life,charging time,waterproof,number of settings,temperature range,cable length,weight,color,includes,noise level
coffee beans,tea,chocolate,protein bar,olive oil,granola,honey | flavor,organic,gluten free,caffeine,roast level,weight,allergens,shelf life,country of origin,vegan,ingredients,pack size
vitamins,protein powder,supplement,cough drops | flavor,pack size,gluten free,vegan,allergens,shelf life,weight,ingredients,organic
board game,puzzle,card game,building set,toy train,plush bear,doll | age range,players,play time,number of pieces,material,batteries included,dimensions,weight,language,battery type,assembly required
stroller,car seat,high chair,baby monitor,baby bottle | age range,weight capacity,foldable,safety features,weight,color,machine washable,wheels,adjustable,capacity,battery life
cordless drill,circular saw,sander,impact driver,angle grinder | voltage,torque,speed,chuck size,brushless motor,batteries included,weight,power,noise level,includes,warranty,battery type
screwdriver set,toolbox,ladder,wrench set,tape measure,hammer,workbench | number of pieces,material,weight,weight capacity,length,height,dimensions,warranty,foldable,finish
paint,wood stain,glue,sealant,varnish | color,room size,finish,capacity,shelf life,temperature range,care instructions
notebook,planner,pen set,marker set,stapler,desk organizer | paper size,page count,ink color,tip size,material,color,pack size,number of pieces,weight
novel,cookbook,textbook,comic book | author,page count,language,paper size,age range,weight
tent,sleeping bag,camping stove,camping chair,headlamp,hammock | sleeping capacity,season rating,temperature rating,weight,waterproof,dimensions,material,color,battery life,brightness,foldable,weight capacity
yoga mat,dumbbell set,treadmill,exercise bike,resistance bands,kettlebell | weight,thickness,material,resistance levels,weight capacity,speed,foldable,color,display,number of pieces,dimensions
car tire,motor oil,car battery,floor mats,jump starter,phone mount | load index,viscosity,capacity,voltage,warranty,compatibility,material,weight,season rating,color
soccer ball,tennis racket,basketball,golf club set,swim goggles,ski helmet | size,material,weight,color,age range,length,waterproof,lens material,number of pieces
"""

_HELD_OUT = """
dog bed,cat tree,dog leash,litter box,pet carrier | pet size,chew proof,material,machine washable,dimensions,color,weight capacity,height
dog food,cat food,bird seed | life stage,protein,flavor,weight,ingredients,pet size
garden hose,lawn mower,planter,patio umbrella,grill,leaf blower | cutting width,fuel type,cooking area,sun exposure,hose diameter,drainage holes,weight,color,warranty,length,noise level
mountain bike,kids bike,bike helmet,electric scooter,road bike | frame material,wheel size,gears,brake type,top speed,range,weight,color,weight capacity,charging time
guitar,digital piano,drum kit,ukulele,violin | number of strings,body wood,number of keys,weighted keys,drum sizes,color,weight,includes
fishing rod,fishing reel,tackle box | line weight,bearings,gear ratio,length,material,weight,color
"""

TITLE_WORDS = (
    "Pro Max Mini Plus Ultra Lite Classic Deluxe Compact Premium Studio Home Travel Smart Eco Prime Elite Air Flex "
    "Duo Nova Core Edge Urban Royal Alpine Rapid Silent Modern Rustic Slim Wide Glide Pulse Drift Summit Harbor Ember "
    "Echo Vista Terra Solstice Breeze Cascade Orbit Nimbus Meadow Canyon Velvet Frost Aurora Coast Forge Haven Spark "
    "Stride Trail Zenith Loft Maple Onyx Pearl Quest Ridge Sierra Tempo Vertex Willow Anchor Bolt Crest Dash Evergreen"
).split()
TITLE_EXTRAS = (
    "Heavy Duty,Portable,Professional,2-in-1,with Lid,for Home,for Kids,Women's,Men's,Unisex,Refurbished,Gift Set,"
    "Limited Edition,Large,Small,Extra Large,Outdoor,Indoor,Rechargeable,with Stand,Set of 2,Pack of 3,2nd Generation,"
    "All-in-One,High Back,Non-Slip,with Remote,Stainless Steel,Wooden,Lightweight,Electric,Wireless,Organic,Black,"
    "White,Blue,Gray"
).split(",")
BRAND_PARTS = (
    "North Blue Red Silver Stone River Oak Iron Bright Clear Swift Wild Golden High Deep Fair Green Home Kind True"
).split(), "wind bird field stone brook wood peak line craft way light house works leaf water fox path gate mark".split()
KEY_ADJECTIVES = (
    "inner outer upper lower rear front main spare peak idle rated total net gross nominal average maximum minimum "
    "internal external primary secondary base top side double single visible folded packed usable effective"
).split()
KEY_NOUNS = (
    "thickness depth current torque spacing pitch gauge density hardness tension travel clearance angle stroke rating "
    "class grade series pattern weave texture coating trim edge rim handle hinge latch spout nozzle valve hose shaft "
    "spindle bearing belt clip strap buckle panel cover base stand bracket rail joint seam stitch yarn pile grain "
    "wall lid knob dial button switch port plug socket fuse sensor probe antenna bandwidth latency channel sample "
    "firmware protocol codec format profile memory buffer tray slot rack shelf drawer hook peg pole leg foot cap ring "
    "tread load payload recoil draft airflow throughput yield dose strength acidity moisture harvest vintage region "
    "origin species breed gender season edition publisher binding scale ratio count model part number code standard"
).split()
ABOUT = (
    "Made for everyday use at home or on the road.|Easy to clean and built to last.|A favorite of our customers.|"
    "Designed for comfort and a modern look.|Saves time in the morning and looks good doing it.|Sturdy, simple and "
    "ready in minutes.|Fits small spaces and travels well.|The perfect gift for friends and family.|Gives reliable "
    "results day after day.|Boils a full pot in three minutes and keeps it warm for an hour.|Soft to the touch and "
    "gentle on the skin.|Quiet enough for the bedroom.|With a clear manual and friendly support.|Tested in our own "
    "workshop for many hours.|Brings color to any room.|Works right out of the box with no tools needed.|Rich sound "
    "and a snug fit for long sessions.|Keeps everything in its place.|Made from carefully chosen parts by a small "
    "team.|Light enough to carry all day, tough enough for the trail.|Now with improved grip and a better seal."
).split("|")


def _parse(table: str) -> list[tuple[list[str], list[str]]]:
    groups = []
    for line in table.strip().splitlines():
        types, concepts = line.split(" | ")
        groups.append(([t.strip() for t in types.split(",")], [c.strip() for c in concepts.split(",")]))
    return groups


TRAINING = _parse(_TRAINING)
HELD_OUT = _parse(_HELD_OUT)
