"""What product attributes are called, what values they take and how shoppers ask for them.

One concept a line: name | other names in a listing | values | questions that want the value | questions with
a value in them | words for it in a wish. Values: `n lo hi unit/unit` a number with one decimal, `i` a whole
number, `w a/b/c` one of, `m a/b/c` one or several of, `bool` yes or no. `{r}` is the product, `{v}` a value.
"""

from dataclasses import dataclass

_SHARED = """
weight|item weight/product weight/net weight|n 0.1 40 kg/g/lb/pounds/oz|how heavy is {r}/how much does {r} weigh/what does {r} weigh/is {r} heavy/how light is {r}/weight of {r}/whats the weight on {r}|does {r} weigh {v}|lightweight/light/low weight/heavy
dimensions|product dimensions/item dimensions/size/measurements|w 30 x 20 x 15 cm/12 x 8 x 5 in/45 x 30 x 22 cm/80 x 60 x 40 cm/10 x 10 x 4 in/120 x 60 x 75 cm/24 x 18 x 36 in|how big is {r}/what size is {r}/what are the measurements of {r}/how large is {r}/will {r} fit on my shelf/how much space does {r} take up/size of {r}|is {r} {v}|compact/small/big/large
width|overall width/product width/w|n 5 200 cm/inches/in/mm|how wide is {r}/what is {r}'s width/how broad is {r}/will {r} fit through a narrow door/side to side how much is {r}|is {r} {v} wide|narrow/wide
height|overall height/product height/h|n 5 220 cm/inches/in/mm|how tall is {r}/how high is {r}/what is the height on {r}/how high does {r} stand|is {r} {v} tall|tall/low
depth|overall depth/product depth|n 5 120 cm/inches/in|how deep is {r}/front to back how much is {r}/what depth does {r} have|is {r} {v} deep|shallow/deep
length|overall length/total length|n 5 400 cm/inches/m/ft/feet|how long is {r}/what length is {r}/how many feet is {r}/end to end how long is {r}|is {r} {v} long|long/short
color|colour/color name/available colors/finish color|m black/white/navy blue/red/forest green/gray/beige/teal/rose gold/silver/charcoal/cream/burgundy/yellow/walnut/ivory/orange/purple/pink/sky blue/olive/brown/gold/turquoise|what color is {r}/what colors does {r} come in/which colours are there for {r}/what colour options does {r} have/what shades can i get {r} in/how does {r} look, which color|does {r} come in {v}/is {r} available in {v}/can i get {r} in {v}/do you have {r} in {v}/is {r} {v}/is there a {v} version of {r}/{r} in {v}?|color/colour
material|materials/main material/body material/made of|w solid wood/stainless steel/glass/bamboo/plastic/leather/oak/marble/velvet/metal/rattan/ceramic/aluminum/cotton/linen/acacia wood/pine/cast iron/silicone/copper/recycled polyester/merino wool/ABS plastic|what is {r} made of/what is {r} made from/which material is {r}/what material is used for {r}/whats {r} made out of|is {r} made of {v}/is {r} {v}/is {r} made from {v}/is that real {v} on {r}|material
warranty|manufacturer warranty/guarantee/warranty period|i 1 10 years/year/months|how long is the warranty on {r}/what guarantee does {r} have/how many years of warranty does {r} come with/is {r} under warranty/what if {r} breaks, how long is the guarantee|does {r} have a {v} warranty|long warranty/guarantee
country of origin|made in/origin/country of manufacture|w Germany/Italy/China/Vietnam/USA/Portugal/Japan/India/Canada/Mexico/Poland|where is {r} made/where does {r} come from/where is {r} manufactured/which country is {r} from|is {r} made in {v}/is {r} from {v}|origin
power|wattage/power consumption/rated power|i 5 2400 watts/W|how many watts is {r}/how powerful is {r}/what wattage does {r} have/how much power does {r} use/how strong is {r}/power draw of {r}|is {r} {v}/does {r} use {v}|powerful/low power
voltage|input voltage/rated voltage/operating voltage|w 12 V/18 V/20 V/24 V/110 V/120 V/230 V/240 V/100-240 V|what voltage is {r}/how many volts is {r}/what voltage does {r} run on/which volts does {r} need|does {r} work on {v}/is {r} {v}|high voltage
battery life|runtime/battery runtime/run time|i 2 70 hours/h|how long does the battery last on {r}/how long does {r} last on a charge/how many hours does {r} run/how long can i use {r} before charging/what battery life does {r} get/when do i need to recharge {r}|does {r} last {v}|long battery life/long lasting battery/good battery
battery type|batteries/battery/power source|w AA/AAA/lithium-ion/2 x AA/CR2032/mains/rechargeable/USB-C charging|what batteries does {r} take/which battery does {r} need/what does {r} run on/how is {r} powered|does {r} use {v}/does {r} run on {v}|battery
charging time|charge time/time to full charge|n 0.5 12 hours/h|how long does {r} take to charge/how fast does {r} charge/how quickly does {r} charge up/how long to fully charge {r}|does {r} charge in {v}|fast charging/quick charging
capacity|volume/total capacity/tank capacity/holds|n 0.2 60 liters/L/quarts/gallons/cups/ml|how much does {r} hold/how many liters is {r}/what is the volume of {r}/how much can i put in {r}/how much water fits in {r}/how big is the tank on {r}/how many cups does {r} make|does {r} hold {v}/is {r} {v}|large capacity/big/high capacity
dishwasher safe|dishwasher-safe/dishwasher|bool|is {r} dishwasher safe/can i put {r} in the dishwasher/can {r} go in the dishwasher/does {r} survive the dishwasher/is {r} ok for the dishwasher||dishwasher safe
assembly required|assembly/requires assembly/self assembly|bool|do i need to assemble {r}/does {r} need assembly/is assembly required for {r}/do i have to put {r} together/do i have to build {r} myself||easy to assemble
waterproof|water resistant/water resistance/weatherproof|bool|is {r} waterproof/can {r} get wet/is {r} water resistant/can i use {r} in the rain||waterproof/water resistant
machine washable|washable/machine wash/washing machine safe|bool|is {r} machine washable/can i wash {r} in the machine/can i throw {r} in the washer/can {r} go in the washing machine/is {r} washable||washable/machine washable
batteries included|battery included/includes batteries/includes battery|bool|are batteries included with {r}/does {r} come with batteries/is the battery included with {r}||with batteries
adjustable|height adjustable/adjustable height|bool|is {r} adjustable/can i adjust {r}/can i change the height of {r}/does {r} adjust||adjustable
wireless|cordless|bool|is {r} wireless/is {r} cordless/does {r} work without a wire||wireless/cordless
bluetooth|bluetooth version/bluetooth support|w yes/no/5.0/5.2/5.3/version 5.1|does {r} have bluetooth/which bluetooth version does {r} have/what bluetooth is {r}/can i connect {r} over bluetooth/does {r} connect to my phone by bluetooth||bluetooth
weight capacity|maximum weight/load capacity/max load/weight limit|i 10 500 pounds/kg/lb|how much weight can {r} hold/how much can {r} carry/what is the weight limit of {r}/how much weight does {r} support/is there a max load for {r}/how strong is {r}, what can it hold/what can {r} bear|can {r} hold {v}/does {r} support {v}|sturdy/heavy duty/strong
number of pieces|piece count/pieces/pieces included/set size|i 2 2000 pieces/|how many pieces are in {r}/how many parts does {r} have/how many come in {r}/how many do i get with {r}|does {r} have {v}|many pieces/big set
pack size|quantity/unit count/pack quantity/count|i 2 100 pack/pieces/count|how many are in the pack of {r}/how many come in a box of {r}/how many do you get in {r}/what is the pack size of {r}|is {r} a {v}|multipack/bulk
age range|recommended age/age/suitable age|w 3 years and up/6 months and up/8+ years/5 to 9 years/12 years and up/0 to 3 years|what age is {r} for/how old should a child be for {r}/is {r} ok for a toddler/from what age can kids use {r}/which ages is {r} meant for|is {r} for {v}|for kids/for toddlers
style|design style/theme/look|w modern/farmhouse/industrial/traditional/coastal/minimalist/vintage/scandinavian/rustic|what style is {r}/what kind of look does {r} have/which style is {r} in|is {r} {v}/is {r} in a {v} style|style
finish|surface finish/surface/coating|w matte/glossy/brushed nickel/matte black/antique brass/chrome/bronze/satin/powder coated|what finish does {r} have/what is the finish on {r}/how is the surface of {r}/is {r} shiny|is {r} {v}/does {r} have a {v} finish|finish
noise level|sound level/noise/loudness|i 18 90 dB|how loud is {r}/how quiet is {r}/how noisy is {r}/is {r} quiet/does {r} make a lot of noise/how many decibels is {r}|is {r} {v}|quiet/silent
timer|built-in timer/auto shut-off timer|bool|does {r} have a timer/is there a timer on {r}/can i set a timer on {r}||with a timer
auto shut-off|automatic shutoff/auto shutoff/auto off|bool|does {r} turn off automatically/does {r} switch itself off/is there auto shut-off on {r}/will {r} turn off by itself||that turns itself off
display|display type/screen type|w LED/LCD/OLED/touchscreen/none/digital/e-ink|what kind of display does {r} have/what display is on {r}/which screen does {r} use|does {r} have a {v} display/does {r} have {v}|display
connectivity|connection/connections/interface|m USB-C/Bluetooth 5.3/Wi-Fi/2.4 GHz dongle/HDMI/3.5 mm jack/ethernet/NFC/Bluetooth 5.0|how does {r} connect/what connections does {r} have/how do i hook up {r}/what ports or connections are on {r}|does {r} have {v}/does {r} connect with {v}/can i use {v} with {r}/does {r} support {v}|connection
compatibility|compatible with/works with/fits|m iPhone/Android/Windows/Mac/Alexa/Google Home/iPad/PlayStation/Xbox/Linux|what is {r} compatible with/what does {r} work with/which devices can i use {r} with/will {r} work with my phone/does {r} fit my device|does {r} work with {v}/is {r} compatible with {v}/can i use {r} with {v}/will {r} work on my {v}|compatible
cable length|cord length/power cord length|n 0.5 5 m/ft/feet|how long is the cord on {r}/how long is the cable of {r}/how far does the cord of {r} reach|is the cord on {r} {v}|long cord
energy rating|energy class/energy efficiency/energy star|w A/A++/B/C/D/A+/yes|how efficient is {r}/what energy class is {r}/how much energy does {r} save/is {r} energy efficient|is {r} energy class {v}|efficient/energy saving
care instructions|care/cleaning/washing instructions|w machine wash/hand wash only/dry clean only/wipe with a damp cloth/spot clean|how do i clean {r}/how do i wash {r}/how should i care for {r}/what are the washing instructions for {r}/how to clean {r}|is {r} {v}|easy to clean
size|sizes/available sizes/size range|m XS/S/M/L/XL/XXL/one size/38/40/42|what sizes does {r} come in/which sizes are available for {r}/what size is {r}/how big does {r} come/do you have bigger sizes of {r}|does {r} come in {v}/do you have {r} in {v}/is {r} available in size {v}/can i get {r} in a {v}|size
sustainability|eco label/certification/certifications|w FSC certified/OEKO-TEX/GOTS organic/Fair Trade/CE/UL listed/none|is {r} certified/what certificates does {r} have/is {r} sustainable/is {r} eco friendly|is {r} {v}|eco friendly/sustainable
includes|what's included/in the box/accessories included/package contents|m carry case/charger/manual/remote control/storage bag/cleaning brush/spare filter/mounting kit/USB cable/screws|what comes with {r}/what is in the box of {r}/what do i get with {r}/what accessories come with {r}/whats included with {r}|does {r} come with a {v}/is a {v} included with {r}/does {r} include the {v}/do i get a {v} with {r}|accessories
"""

_SPECIFIC = """
screen size|display size/screen diagonal|n 1 85 inches/in|how big is the screen on {r}/what is the screen size of {r}/how large is the display of {r}/how many inches is {r}/size of the screen on {r}|is the screen of {r} {v}|big screen/large screen
resolution|screen resolution/max resolution|w 1920x1080/3840x2160/2560x1440/4K/1080p/720p/8K|what resolution does {r} have/how sharp is the picture on {r}/how many pixels has {r}|is {r} {v}|high resolution/sharp
refresh rate|max refresh rate|w 60 Hz/75 Hz/120 Hz/144 Hz/165 Hz/240 Hz|how many hertz is {r}/what hz is {r}/how fast does {r} refresh/is {r} good for fast games, what refresh rate|is {r} {v}/does {r} run at {v}|high refresh rate/fast screen
memory|ram/installed ram/memory size|w 4 GB/8 GB/16 GB/32 GB/64 GB|how much ram does {r} have/how much memory is in {r}/how many gb of ram on {r}/is there enough ram in {r}|does {r} have {v} of ram/does {r} have {v}|a lot of ram/more memory
storage|storage capacity/hard drive/ssd capacity/internal storage|w 64 GB/128 GB/256 GB/512 GB/1 TB/2 TB/512 GB SSD|how much storage does {r} have/how big is the hard drive of {r}/how many files fit on {r}/how much space is on {r} for photos|does {r} have {v} of storage/is {r} {v}|a lot of storage/big drive
processor|cpu/chip/processor model|w Intel Core i5/Intel Core i7/Ryzen 5/Ryzen 7/M2/octa-core/Snapdragon 8|what processor is in {r}/which cpu does {r} have/what chip does {r} use/how fast is {r}, which processor|does {r} have an {v}|fast processor
graphics|gpu/graphics card/video card|w integrated/RTX 4060/RTX 4070/Radeon 780M/Iris Xe|what graphics card is in {r}/which gpu does {r} have/can {r} run games, what gpu|does {r} have an {v}|good graphics/gaming
operating system|os/software/platform|w Windows 11/Android 14/iOS/ChromeOS/Linux/webOS/Google TV|what os does {r} run/which operating system is on {r}/what software does {r} come with|does {r} run {v}/does {r} have {v}|operating system
camera|main camera/rear camera/camera resolution|i 8 200 MP/megapixels|how good is the camera on {r}/how many megapixels does {r} have/what camera does {r} have/does {r} take good pictures|does {r} have {v}|good camera
battery capacity|battery size/battery rating|i 1000 20000 mAh|how big is the battery in {r}/how many mah is {r}/what battery capacity has {r}|does {r} have {v}|big battery
5g|5g support/cellular|bool|does {r} have 5g/does {r} support 5g/is {r} a 5g phone/can {r} do 5g||5g
noise cancelling|active noise cancelling/anc/noise cancellation|bool|does {r} have noise cancelling/does {r} block out noise/is {r} noise cancelling/does {r} have anc||noise cancelling
driver size|driver/speaker driver|i 6 60 mm|how big are the drivers in {r}/what drivers does {r} use/what size driver has {r}|does {r} have {v} drivers|big drivers
frequency response|frequency range|w 20 Hz - 20 kHz/10 Hz - 40 kHz/50 Hz - 18 kHz|what frequencies does {r} cover/how deep is the bass of {r}/what is the range of sound on {r}|does {r} go {v}|bass
microphone|built-in microphone/mic|bool|does {r} have a microphone/can i make calls with {r}/is there a mic on {r}/can i talk on {r}||with a microphone
water resistance rating|ip rating/ingress protection|w IPX4/IPX5/IP67/IP68/IPX7|what ip rating does {r} have/how water resistant is {r}/can i sweat or swim with {r}, what rating|is {r} {v}|water resistant
panel type|panel/display technology|w IPS/OLED/VA/QLED/Mini LED|what panel does {r} have/which display technology is {r}/is {r} lcd or something better|is {r} {v}|panel
hdmi ports|number of hdmi ports/hdmi inputs|i 1 4 /|how many hdmi ports does {r} have/how many consoles can i plug into {r}/are there enough hdmi inputs on {r}|does {r} have {v} hdmi ports|hdmi
smart features|smart tv/streaming apps|m Netflix/YouTube/Chromecast/AirPlay/Disney+|does {r} stream, which apps/what apps are on {r}/can i watch shows on {r}, which services|does {r} have {v}/can i watch {v} on {r}|streaming
print speed|pages per minute/ppm|i 5 60 ppm/pages per minute|how fast does {r} print/how many pages per minute does {r} do/is {r} a fast printer|does {r} print {v}|fast
print technology|printing technology/printer type|w inkjet/laser/thermal/LED|is {r} laser or inkjet/how does {r} print/what kind of printer is {r}|is {r} {v}|printing
duplex printing|double-sided printing/automatic duplex|bool|can {r} print on both sides/does {r} print double sided/does {r} do duplex||double sided printing
switch type|key switches/switches|w red linear/brown tactile/blue clicky/membrane|what switches does {r} have/are the keys on {r} clicky/which key switches are in {r}|does {r} have {v} switches|switches
backlight|backlighting/key lighting|w RGB/white/none/per-key RGB|does {r} light up/what backlight does {r} have/are the keys of {r} lit|does {r} have {v}|backlit/lighting
dpi|max dpi/sensor resolution|i 800 26000 dpi/|how sensitive is {r}/how many dpi does {r} have/what dpi is {r}|does {r} have {v}|high dpi/precise
temperature range|temperature/temperature settings|w 80 - 200 C/40 - 230 C/60 - 100 C/150 - 450 F|how hot does {r} get/what temperatures can {r} reach/how warm can i set {r}/what is the maximum temperature of {r}|does {r} go {v}|hot
number of settings|speeds/speed settings/number of speeds|i 2 20 /settings|how many speeds does {r} have/how many settings are on {r}/how many modes does {r} offer|does {r} have {v} speeds|many settings
bowl material|jug material/carafe material|w glass/stainless steel/BPA-free plastic/ceramic|what is the bowl of {r} made of/what is the jug on {r} made of/is the carafe of {r} plastic or glass|is the jug of {r} {v}|glass jug
number of slots|slots/slices|i 2 6 slots/slices|how many slices can {r} toast/how many slots does {r} have/how much bread fits {r}|does {r} have {v}|wide slots
programs|cooking programs/presets/preset programs|i 3 20 programs/|how many programs does {r} have/what can {r} cook, how many presets/how many presets are on {r}|does {r} have {v}|presets
grinder|built-in grinder/coffee grinder|bool|does {r} grind beans/is there a grinder in {r}/can i put whole beans in {r}||with a grinder
milk frother|frother/steam wand|bool|does {r} froth milk/can i make cappuccino with {r}/does {r} have a milk frother/is there a steam wand on {r}||with a milk frother
pressure|pump pressure/max pressure|i 2 20 bar|how many bars does {r} have/what pressure does {r} make/how much pressure does {r} have|is {r} {v}|pressure
induction compatible|induction/induction ready|bool|does {r} work on induction/can i use {r} on an induction stove/is {r} ok for induction||induction compatible
oven safe|oven-safe/oven safe temperature|bool|can {r} go in the oven/is {r} oven safe/can i put {r} in the oven||oven safe
non-stick|nonstick/non-stick coating|bool|is {r} non stick/is {r} coated so nothing sticks||non-stick
diameter|pan diameter/outer diameter|n 5 120 cm/inches/mm|how wide across is {r}/what diameter is {r}/what is {r} across|is {r} {v} across|diameter
blade material|blade/blade steel|w stainless steel/high carbon steel/ceramic/Damascus steel|what are the blades of {r} made of/what steel is {r}/how good is the blade of {r}|is the blade of {r} {v}|sharp
blade length|length of blade|n 3 14 inches/cm|how long is the blade of {r}/what is the blade length on {r}|is the blade of {r} {v}|long blade
suction power|suction|i 1000 30000 Pa|how strong is the suction of {r}/how well does {r} suck/how many pascal is {r}/does {r} pull pet hair, how much suction|does {r} have {v}|strong suction
dust capacity|dust bin capacity/bin size|n 0.2 3 liters/L|how much dust does {r} hold/how big is the dust bin on {r}/how often must i empty {r}, how big is the bin|does {r} hold {v}|big dust bin
filter type|filter/filtration|w HEPA/H13 HEPA/carbon/washable foam/paper|what filter does {r} use/which filter is in {r}/is {r} good for allergies, what filter|does {r} have a {v} filter|hepa filter
room size|coverage/recommended room size|i 100 1500 sq ft/square feet|how big a room does {r} cover/what room size is {r} for/how large an area does {r} handle|is {r} ok for {v}|large rooms
seating capacity|seats/number of seats/seats up to|i 1 10 people/|how many people can sit on {r}/how many does {r} seat/how many seats does {r} have|does {r} seat {v}|for many people
seat height|height of seat|n 12 32 inches/in/cm|how high is the seat of {r}/how far from the floor is the seat on {r}|is the seat of {r} {v}|high seat
upholstery|upholstery material/fabric/cover material|w velvet/faux leather/linen blend/boucle/genuine leather/microfiber|what fabric is {r}/what is {r} covered with/what is {r} upholstered in/is {r} real leather or fabric|is {r} {v}|soft fabric
number of drawers|drawers|i 1 9 drawers/|how many drawers does {r} have/does {r} have drawers, how many/are there drawers in {r}|does {r} have {v}|with drawers
number of shelves|shelves|i 1 8 shelves/|how many shelves does {r} have/how many shelves are on {r}|does {r} have {v}|with shelves
firmness|mattress firmness/comfort level|w soft/medium/medium firm/firm/extra firm|how firm is {r}/is {r} soft or hard/how hard is {r}/what firmness is {r}|is {r} {v}|firm/soft
thickness|mattress thickness/total thickness|n 0.2 16 inches/cm/mm|how thick is {r}/what is the thickness of {r}|is {r} {v} thick|thick/thin
thread count|threads per inch|i 180 1200 /|how many threads has {r}/how dense is the weave of {r}/what thread count are {r}|does {r} have a {v} thread count|high thread count
fill material|filling/fill/stuffing|w goose down/memory foam/polyester fiber/latex/buckwheat/down alternative|what is {r} filled with/what is inside {r}/what filling does {r} have|is {r} filled with {v}|down/foam
bulb type|light source/bulb base/bulb|w LED/E26/halogen/E12/GU10/integrated LED|what bulb does {r} take/which bulbs fit {r}/what kind of light bulb does {r} need|does {r} take {v} bulbs|led
dimmable|dimmer compatible/dimming|bool|can i dim {r}/is {r} dimmable/does {r} work with a dimmer/can i turn down the brightness of {r}||dimmable
brightness|luminous flux/lumens/light output|i 80 6000 lumens/lm|how bright is {r}/how many lumens is {r}/how much light does {r} give|is {r} {v}|bright
color temperature|light color/colour temperature|w 2700 K/3000 K/4000 K/5000 K/6500 K/warm white|is the light of {r} warm or cold/what light color has {r}/how many kelvin is {r}|is {r} {v}|warm light
number of lights|lights|i 1 12 lights/|how many lights does {r} have/how many bulbs are on {r}|does {r} have {v}|many lights
fit|fit type/cut|w slim/regular/relaxed/oversized/true to size|how does {r} fit/is {r} tight or loose/does {r} run small/what cut is {r}|is {r} {v} fit/is {r} {v}|loose/slim fit
neckline|collar/neck style|w crew neck/v-neck/hooded/turtleneck/button-down|what neckline does {r} have/what kind of collar is on {r}|does {r} have a {v}|neckline
pockets|pocket count/number of pockets|w yes/no/2 side pockets/4 pockets/zip pockets|does {r} have pockets/how many pockets are on {r}/are there pockets in {r}||with pockets
hood|hood type|bool|does {r} have a hood/is there a hood on {r}||with a hood
closure|closure type/fastening|w zipper/buttons/laces/velcro/buckle/slip-on/magnetic|how does {r} close/how do i fasten {r}/does {r} lace or slip on|does {r} have {v}|closure
sole material|outsole/sole|w rubber/EVA/leather/Vibram|what is the sole of {r}/what are the soles of {r} made of/does {r} grip, what sole|is the sole of {r} {v}|good grip
heel height|heel|n 0.5 5 inches/cm|how high are the heels on {r}/what heel does {r} have|is the heel of {r} {v}|low heel
lining|inner lining/insulation|w fleece/down/wool/unlined/satin/faux fur|what lining does {r} have/how warm is {r}, what is it lined with/what is {r} insulated with|is {r} lined with {v}|warm
laptop compartment|laptop sleeve/fits laptop|w yes/no/up to 15.6 in/up to 14 in/up to 17 in|does my laptop fit in {r}/is there a laptop sleeve in {r}/what laptop size fits {r}||for a laptop
movement|watch movement/mechanism|w quartz/automatic/mechanical/solar|what movement is in {r}/is {r} quartz or automatic/how does {r} tick|is {r} {v}|automatic
band material|strap material/strap|w leather/silicone/stainless steel/nylon/mesh|what is the strap of {r} made of/what band does {r} have/which strap is on {r}|is the strap of {r} {v}|leather strap
metal|metal type/plating|w sterling silver/14k gold/gold plated/titanium/platinum/brass|what metal is {r}/is {r} real gold or silver/which metal is used in {r}|is {r} {v}|gold/silver
gemstone|stone/main stone|w cubic zirconia/pearl/sapphire/amethyst/diamond/none|what stone is in {r}/which gem does {r} have|does {r} have a {v}|stone
skin type|suitable skin type/for skin type|m dry/oily/sensitive/all skin types/combination/normal|what skin is {r} for/which skin type is {r} good for/can i use {r} on my skin, which type is it for|is {r} for {v} skin/is {r} good for {v} skin|for my skin
scent|fragrance/smell|w lavender/unscented/citrus/vanilla/rose/sandalwood/eucalyptus|what does {r} smell like/which scent is {r}/how does {r} smell/is {r} scented|does {r} smell of {v}/is {r} {v}|scented
ingredients|key ingredients/main ingredient/active ingredient|m aloe vera/shea butter/argan oil/vitamin C/retinol/oats/almonds/cocoa/salicylic acid|what is in {r}/what are the ingredients of {r}/whats {r} made with/what does {r} contain|does {r} contain {v}/is there {v} in {r}/does {r} have {v} in it|natural ingredients
vegan|vegan friendly/suitable for vegans|bool|is {r} vegan/can vegans use {r}/is {r} ok for vegans||vegan
cruelty free|cruelty-free/not tested on animals|bool|is {r} cruelty free||cruelty free
spf|sun protection factor/sun protection|i 15 100 SPF/|what spf is {r}/how much sun protection does {r} give/does {r} protect from the sun, what factor|is {r} {v}|high spf/sun protection
gluten free|gluten-free/contains gluten free|bool|is {r} gluten free/can celiacs eat {r}||gluten free
organic|certified organic/usda organic|bool|is {r} organic/is {r} certified organic/was {r} grown organically||organic
caffeine|caffeine content/caffeinated|w yes/no/decaf/40 mg per cup/95 mg per cup|does {r} have caffeine/how much caffeine is in {r}/is {r} decaf||caffeine free
flavor|flavour/taste|w chocolate/vanilla/salted caramel/original/lemon/hazelnut/mixed berry|what flavor is {r}/what does {r} taste like/which flavors does {r} come in|is {r} {v}/does {r} come in {v}|flavor
roast level|roast|w light/medium/dark/medium dark|how dark is {r} roasted/what roast is {r}/is {r} a strong roast|is {r} {v} roast|dark roast
shelf life|best before/expiry/storage life|i 3 36 months|how long does {r} keep/when does {r} expire/how long is {r} good for|does {r} keep {v}|long lasting
allergens|allergy information/contains|m milk/soy/nuts/wheat/eggs/none|what allergens are in {r}/is {r} safe with allergies/what should allergic people know about {r}|does {r} contain {v}/are there {v} in {r}|allergy friendly
players|number of players/player count|w 2 to 4/1 to 6/2 to 8/2/4 to 10|how many people can play {r}/how many players is {r} for/can two people play {r}|is {r} for {v} players|for a party
play time|playing time/game length|w 20 minutes/45 minutes/90 minutes/15 to 30 minutes|how long does a game of {r} take/how long is a round of {r}|does {r} take {v}|short
torque|max torque|i 10 1200 Nm/in-lb|how much torque does {r} have/how strong is {r} at turning/what torque has {r}|does {r} have {v}|high torque
speed|max speed/no-load speed/rpm|i 300 30000 rpm|how fast does {r} spin/what rpm does {r} do/how fast is {r}|does {r} do {v}|fast
chuck size|chuck|w 10 mm/13 mm/6 mm/0.5 in|what bits fit {r}/what chuck does {r} have/how big is the chuck on {r}|is the chuck of {r} {v}|chuck
brushless motor|brushless/brushless|bool|is {r} brushless/does {r} have a brushless motor/what motor, brushless or not, is in {r}||brushless
flow rate|water flow/max flow rate|n 0.5 10 gpm/liters per minute|how much water comes out of {r}/what is the flow of {r}/is the flow of {r} strong|does {r} flow {v}|strong flow
mounting type|installation/mount|w wall mount/free standing/ceiling/countertop/clamp/magnetic|how is {r} mounted/how do i install {r}/does {r} hang or stand/where does {r} attach|is {r} {v}|mounting
paper size|sheet size/page size|w A4/A5/letter/legal/B5|what paper is {r}/what sheet size does {r} have/which page size is {r}|is {r} {v}|paper
page count|pages/number of pages/sheets|i 40 900 pages/sheets|how many pages are in {r}/how many sheets does {r} have/how thick a book is {r}|does {r} have {v}|many pages
author|written by/writer|w Mara Feldt/J. K. Orlen/Tobias Quill/Anna Revik/S. Harrow|who wrote {r}/who is the author of {r}/by whom is {r}|is {r} by {v}|author
language|languages|m English/Spanish/French/German/Italian|what language is {r} in/which languages does {r} have/can i read {r} in my language|is {r} in {v}/is there {v} in {r}|language
ink color|ink/writing color|m black/blue/red/green/violet|what ink does {r} have/what does {r} write in/which ink colors come in {r}|does {r} write {v}/is {r} {v}|ink
tip size|point size/nib|w 0.5 mm/0.7 mm/1.0 mm/fine/medium/broad|how fine does {r} write/what tip is on {r}/how thick are the lines of {r}|is {r} {v}|fine
lens material|lenses/lens|w polarized glass/polycarbonate/CR-39/mineral glass|what are the lenses of {r} made of/which lens is in {r}|is the lens of {r} {v}|polarized
uv protection|uv rating/uv blocking|w UV400/UPF 50+/none/100% UV|does {r} block uv/how much uv does {r} stop/does {r} protect from sunlight|is {r} {v}|uv protection
resistance levels|resistance/tension levels|i 3 32 levels/|how many resistance levels does {r} have/how hard can i set {r}/can i make {r} harder, how many levels|does {r} have {v}|adjustable resistance
sleeping capacity|sleeps/tent capacity|i 1 12 people/persons|how many people sleep in {r}/how many does {r} sleep/how many fit in {r}|does {r} sleep {v}|for a family
season rating|season|w 3-season/4-season/summer|can i use {r} in winter/what seasons is {r} for/which season is {r} made for|is {r} {v}|winter
temperature rating|comfort rating/comfort temperature|i -20 15 C/F|how cold can {r} handle/down to what temperature is {r} ok/how warm is {r}|is {r} ok for {v}|warm
insulation|insulated/keeps cold|w double-wall vacuum/foam/single wall/none|does {r} keep drinks cold/how is {r} insulated/does {r} keep coffee hot|is {r} {v}|insulated
load index|tire size/tyre size|w 205-55 R16/225-45 R17/195-65 R15/235-60 R18|what size is {r}/will {r} fit my car, what size/which rim does {r} fit|is {r} {v}|tire
viscosity|oil grade/grade|w 5W-30/10W-40/0W-20/5W-40|what grade is {r}/how thick is {r} oil/which viscosity is {r}|is {r} {v}|viscosity
video quality|video resolution/recording resolution|w 4K/1080p/2.7K/5.3K/720p|what quality does {r} record/how good is the video of {r}/does {r} film in high quality|does {r} record {v}/does {r} do {v}|4k video
field of view|viewing angle|i 60 360 degrees|how wide does {r} see/how much of the room does {r} cover/what angle does {r} have|does {r} have {v}|wide angle
night vision|infrared/low light vision|bool|can {r} see in the dark/does {r} have night vision/does {r} work at night||night vision
zoom|optical zoom/max zoom|w 3x/5x/10x/20x/30x|how far can {r} zoom/what zoom does {r} have/how close can i get with {r}|does {r} have {v} zoom|zoom
cooling capacity|btu/cooling power|i 5000 18000 BTU|how much does {r} cool/how many btu is {r}/how strong does {r} cool|does {r} have {v}|strong cooling
safety features|safety/child safety|m tip-over switch/child lock/overheat protection/5-point harness/anti-slip feet|is {r} safe, what safety features/what keeps {r} safe/how safe is {r}|does {r} have a {v}/is there {v} on {r}|safe
foldable|folding/collapsible|bool|does {r} fold/can i fold {r}/does {r} collapse for storage/is {r} foldable||foldable
wheels|casters/wheel type|w yes/no/4 spinner wheels/2 wheels/lockable casters|does {r} have wheels/can i roll {r}/how many wheels has {r}||with wheels
lock type|lock|w TSA lock/combination/key/fingerprint/none|how does {r} lock/what lock is on {r}/can i lock {r}|does {r} have a {v}|lockable
"""

_HELD_OUT = """
pet size|for pet size/breed size|w small/medium/large/up to 40 pounds/all breeds|what size of pet is {r} for/will {r} fit a big dog/how big can my dog be for {r}|is {r} for {v} pets|for a big dog
chew proof|chew resistant/bite proof|bool|can my dog chew {r}/is {r} chew proof/will {r} survive chewing||chew proof
life stage|pet age/for age|w puppy/adult/senior/kitten/all ages|what age of pet is {r} for/is {r} for puppies or adults/which life stage is {r}|is {r} for {v}|life stage
protein|crude protein/protein content|i 8 45 %|how much protein is in {r}/how many percent protein has {r}|does {r} have {v} protein|high protein
cutting width|deck width/cut width|i 10 54 inches/cm|how wide does {r} cut/how broad is the cut of {r}/how much lawn does {r} take at once|does {r} cut {v}|wide cut
fuel type|fuel|w propane/electric/charcoal/gasoline/pellets/battery|what fuel does {r} use/what does {r} burn/is {r} gas or charcoal|does {r} use {v}/is {r} {v}|gas
cooking area|grill area/cooking surface|i 150 900 sq in/square inches|how big is the cooking surface of {r}/how much food fits on {r}/how many burgers fit on {r}|does {r} have {v}|big grill
sun exposure|light needs/light requirement|w full sun/partial shade/full shade|how much sun does {r} need/can {r} grow in the shade/where should i plant {r}|does {r} like {v}|shade
hose diameter|inner diameter|w 0.5 in/0.63 in/0.75 in|how thick is the hose on {r}/what diameter hose is {r}|is {r} {v}|thick
drainage holes|drain holes/drainage|bool|does {r} have holes for water/does {r} drain/are there drain holes in {r}||with drainage
frame material|frame|w aluminum/carbon/steel/chromoly|what is the frame of {r} made of/is the frame of {r} carbon or steel|is the frame of {r} {v}|carbon
wheel size|wheel diameter|w 20 in/24 in/26 in/27.5 in/29 in|how big are the wheels of {r}/what wheels does {r} have/what size wheels are on {r}|are the wheels of {r} {v}|big wheels
gears|number of gears/speeds|i 1 27 gears/speeds|how many gears does {r} have/how many speeds is {r}|does {r} have {v}|many gears
brake type|brakes|w hydraulic disc/mechanical disc/rim/coaster|what brakes are on {r}/how does {r} stop, which brakes/are there disc brakes on {r}|does {r} have {v} brakes|disc brakes
top speed|maximum speed|i 10 40 mph/kmh|how fast can {r} go/what is the top speed of {r}/how quick is {r}|does {r} go {v}|fast
range|max range/distance per charge|i 8 120 miles/km|how far can {r} go on a charge/what distance does {r} manage/how many miles does {r} do|does {r} go {v}|long range
number of strings|strings|i 4 12 strings/|how many strings does {r} have/is {r} a six string|does {r} have {v}|strings
body wood|body material/tonewood|w mahogany/spruce/maple/alder/basswood|what wood is {r}/what is the body of {r} made of/which tonewood is used on {r}|is {r} {v}|wood
number of keys|keys|i 25 88 keys|how many keys does {r} have/is {r} full size, how many keys|does {r} have {v}|full size
weighted keys|key action|w yes/no/semi-weighted/fully weighted|are the keys of {r} weighted/does {r} feel like a real piano, which keys||weighted keys
drum sizes|shell sizes/shells|w 22 in, 12 in, 16 in/20 in, 10 in, 14 in|what drums come in {r}/how big are the drums of {r}|are the shells of {r} {v}|drums
line weight|rod weight/rod power|w light/medium/heavy/5 wt/8 wt|how strong is {r} as a rod/what line weight is {r}/what fish can {r} take, what power|is {r} {v}|strong rod
bearings|ball bearings/bearing count|i 2 15 /|how many bearings does {r} have/how smooth is {r}, how many bearings|does {r} have {v}|smooth
gear ratio|retrieve ratio|w 5.2:1/6.3:1/7.1:1|what gear ratio has {r}/how fast does {r} reel in|is {r} {v}|fast reel
"""


@dataclass(frozen=True)
class Concept:
    """One attribute: how listings name it and how shoppers ask for it."""

    name: str
    displays: tuple[str, ...]
    values: str
    asks: tuple[str, ...]
    value_asks: tuple[str, ...]
    wishes: tuple[str, ...]

    @property
    def is_boolean(self) -> bool:
        return self.values == "bool"


def _split(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("/") if part.strip())


def _parse(table: str) -> dict[str, Concept]:
    concepts = {}
    for line in table.strip().splitlines():
        name, displays, values, asks, value_asks, wishes = line.split("|")
        concepts[name] = Concept(
            name, (name, name, name, *_split(displays)), values, _split(asks), _split(value_asks), _split(wishes)
        )
    return concepts


SHARED = _parse(_SHARED)
SPECIFIC = _parse(_SPECIFIC)
HELD_OUT = _parse(_HELD_OUT)
ALL = {**SHARED, **SPECIFIC, **HELD_OUT}
