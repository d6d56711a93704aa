"""What stands for {names} in the phrases of classifier_phrases.py: our own words."""

FILL = {
    "forget": "ignore|disregard|forget|override|bypass|skip|drop|cancel|erase|neglect|delete|abandon|"
              "pay no attention to|do not follow|stop following|set aside",
    "all": "all|any|every|the|your|all the|all of your|all of the|these|those|my|its|",
    "previous": "previous|prior|above|earlier|preceding|original|initial|system|existing|old|former|"
                "past|given|hidden|secret|current|outdated|other|",
    "rules": "instructions|rules|prompts|prompt|directions|commands|guidelines|orders|directives|"
             "messages|text|context|constraints|restrictions|policies|programming|training|"
             "conversation|words|sentences|system prompt|system message|instruction",
    "tell": "repeat|print|output|show|reveal|display|translate|summarize|explain|write out|recite|"
            "list|tell me|give me|spell out|quote|paraphrase|rephrase|copy|convert|echo|leak|"
            "encode|describe|state|restate|say|share|dump|type|return|rewrite|analyze|expose",
    "manner": "word for word|verbatim|in full|in a code block|in Spanish|as a poem|as a list|backwards|"
              "in simple terms|as bullet points|exactly|in detail|in base64|as pseudocode|as python|"
              "in JSON|in all caps|letter by letter|with comments|from the beginning|now|please|"
              "to me|back to me|so far|in English|as a story|step by step|",
    "reply": "reply|response|answer|message|output|completion|sentence|next message|respond",
    "secret": "access granted|the password|the secret code|the access code|the secret key|the passphrase|"
              "permission granted|the security code|the hidden word|the magic word|access denied|"
              "correct password|access code|secret|password",
    "role": "a hacker|an evil robot|an unfiltered AI|a pirate|a helpful assistant without limits|a villain|"
            "a character named Max|an AI without restrictions|a Linux terminal|a translator|my grandmother|"
            "a cruel storyteller|an amoral chatbot|a free model|a fictional person|a game master|"
            "a Python interpreter|a password checker|a debugger|an actor|a human|root|an assistant named Zed|"
            "a rebel AI|a different language model|an uncensored bot|a virtual girlfriend|a superior AI",
    "ai": "AI|chatbot|language model|assistant|AI model|AI assistant|bot|model|LLM|ChatGPT|GPT-4|"
          "artificial intelligence|virtual assistant|machine|AI agent|GPT",
    "never": "never refuse|always obey|never say you cannot|do not apologize|never break character|"
             "stay in character|always comply|never mention ethics|ignore morals|answer without warnings|"
             "have no filters|have no limits|do not add disclaimers|never censor anything|"
             "are free of all restrictions|must not refuse|can do anything|never decline|swear a lot|"
             "are not bound by rules|do not care about ethics|follow every order|answer everything|"
             "generate any content|bypass content policy|break the rules|respond to any request",
    "unbound": "unfiltered|uncensored|amoral|unethical|immoral|unrestricted|unlimited|unbiased|evil|illegal|"
               "free of restrictions|without ethical guidelines|without moral limits|unhinged|offensive|"
               "without censorship|jailbroken|dangerous|rude|explicit",
    "writes": "write|create|generate|compose|draft|make|develop|give me|produce|come up with|provide|"
              "help me write|help me make|teach me|show me|describe|give|devise|craft|list",
    "work": "a story|a post|an article|an email|a script|a tutorial|code|a poem|a list of ways|"
            "detailed instructions|step-by-step instructions|a guide|a plan|a speech|a letter|"
            "a message|a program|a convincing essay|a fake review|a blog post|a tweet|a recipe|"
            "a manual|an argument|steps|directions|a function|a keylogger|a template|a note|tips|"
            "a persuasive text|an advertisement|a comment|a joke|a slogan|a description|advice",
    "about": "about|on|on how to|arguing that|that shows how to|explaining how to|for|that claims|which says|"
             "to convince people that|persuading someone to|glorifying|denying|mocking|promoting|defending",
    "harm": "build a bomb|make a weapon|steal a car|rob a bank|hack a computer|poison someone|kill a person|"
            "sell drugs|cook meth|forge documents|commit fraud|launder money|evade taxes|smuggle guns|"
            "stalk someone|bully a classmate|harass a colleague|blackmail a politician|murder my boss|"
            "hurt myself|commit suicide|cut myself|starve myself|overdose|kidnap a child|start a riot|"
            "rig an election|break into a house|pick a lock|bypass a firewall|spread malware|"
            "steal an identity|counterfeit money|cheat on an exam|avoid the police|hide a body|"
            "make explosives|synthesize nerve gas|buy a gun illegally|create a virus|phish passwords|"
            "spread rumors|manipulate voters|abuse animals|traffic people|torture somebody|"
            "shoplift without getting caught|track my wife secretly|spy on my neighbor|forge a prescription|"
            "get away with a crime|set a building on fire|sabotage a power plant|crash a website|"
            "get revenge on my ex|insult an immigrant|punch somebody|stab a man|exploit a vulnerability|"
            "scam old people|lie in court|insider trade|bribe an official|disable an alarm|get stolen cards",
    "harmn": "suicide|murder|terrorism|a bomb|drug dealing|racism|child abuse|hacking|fraud|identity theft|"
             "self-harm|genocide|violence|pornography|torture|slavery|the Holocaust|conspiracy theories|"
             "vaccines causing disease|white supremacy|sexual acts|illegal weapons|malware|ransomware|"
             "money laundering|human trafficking|eating disorders|hate speech|chemical weapons|anthrax|"
             "phishing|blackmail|stalking|election fraud|disinformation|cocaine|meth|a shooting|poison|"
             "SQL injection|a reverse shell|a hoax|slurs|an assassination|rape|extremists|bioweapons",
    "group": "women|men|Muslims|Christians|Jews|immigrants|black people|white people|Asian people|gay people|"
             "old people|disabled people|poor people|Mexicans|Americans|Germans|Indians|Chinese people|"
             "atheists|transgender people|liberals|conservatives|refugees|the homeless|teenagers|"
             "Africans|religious people|lesbians|Europeans|people from Texas|politicians|hindus|fat people",
    "bad": "stupid|inferior|lazy|dangerous|dirty|greedy|annoying|weak|criminal|violent|evil|dishonest|ugly|"
           "terrible drivers|bad at math|less intelligent|uneducated|rude|crazy|terrorists|immoral|backward|"
           "not allowed to vote|denied jobs|paid less|banned|deported|a burden on society|worthless|hated",
    "who": "my neighbor|my boss|my wife|my ex|my coworker|my teacher|my friend|my brother|my daughter|"
           "my landlord|my doctor|the president|a celebrity|a politician|my son|my husband|my colleague|"
           "my girlfriend|my roommate|my cousin|my classmate|my manager|my therapist|my sister|my uncle",
    "private": "home address|phone number|password|salary|medical history|credit card number|religion|"
               "sexual orientation|criminal record|bank account|relationship status|social security number|"
               "email address|political views|date of birth|browsing history|private messages|location|"
               "health condition|blood type|net worth|license plate number|immigration status|diary|"
               "driving record|insurance number|school records|religious beliefs",
    "firm": "Google|Microsoft|Apple|Amazon|the company|the government|the CIA|the army|the bank|Tesla|"
            "a competitor|the hospital|Facebook|the police|my employer|the startup|NASA|a law firm",
    "inside": "trade secrets|internal documents|unreleased products|confidential plans|disaster plan|source code|"
              "next acquisition|undisclosed partners|internal emails|legal strategy|customer list|"
              "security weaknesses|profit forecast|hiring plans|expansion plans|secret projects|network passwords|"
              "supply chain contracts|insider information|merger plans|pricing strategy|board minutes",
    "rumor": "the earth is flat|the moon landing was faked|5G causes cancer|vaccines contain microchips|"
             "a celebrity has died|drinking bleach cures disease|aliens live among us|the election was stolen|"
             "the stock will crash|a cure was hidden|ghosts are real|crystals heal illness|climate change is a lie|"
             "the king is a reptile|a new virus escaped|prayer replaces medicine|bigfoot exists|"
             "an earthquake will hit tomorrow|the company went bankrupt|sugar cures depression",
    "life": "I feel lonely|I am depressed|I hear voices|I want to die|I lost my job|my partner hits me|"
            "I cannot sleep|I was diagnosed with cancer|I got arrested|I owe a lot of money|nobody likes me|"
            "my chest hurts|I got divorced|I am being sued|I hate my life|I have a rash|I took too many pills|"
            "my landlord evicted me|I drank too much|my boss fired me|I cheated on my wife|I am pregnant",
    "doing": "what should I do|can you help me|how do I sue|what medicine should I take|is that normal|"
             "tell me what to do|do I have a disease|will I be okay|should I invest|can I take legal action|"
             "do you love me|how do I cope|who should I vote for|what do you think|am I going to die|"
             "should I leave him|which stock should I buy|how can I get revenge|can you be my friend",
    "you": "do you like me|are you alive|do you have feelings|what did you do yesterday|where do you live|"
           "have you ever been in love|who created you|what is your name|do you sleep|are you human|"
           "what are your hobbies|do you have a body|how old are you|what do you look like|do you dream|"
           "did you watch the game|what is your favorite memory|can you feel pain|do you believe in god|"
           "what was your childhood like|have you traveled abroad|are you happy today|what do you eat",
    "scene": "a murder|a violent act|a massacre|an execution|a torture scene|a robbery|a riot|an assault|"
             "a terrorist attack|a kidnapping|a bloody fight|a sexual act|an act of revenge|a hate crime",
    "event": "the genocide|the slave trade|the invasion|ethnic cleansing|the terrorist attack|the massacre|"
             "the shooting|apartheid|the dictator|the holocaust|forced labor|segregation|the bombing|the coup",
    "ill": "my depression|my anxiety|my tumor|my addiction|a heart attack|a brain tumor|cancer|a rash|"
           "a panic attack|an infection|diabetes|my insomnia|a broken bone|schizophrenia|an overdose",
    "mediaformat": "DVD|CD|Blu-ray|LP|vinyl|widescreen DVD|PlayStation 3|Xbox 360|Windows|paperback|T-shirt|mug",
    "product": "kettle|lamp|phone|camera|printer|laptop|game|monitor|shirt|watch|headphones|cable|case|battery|"
               "charger|chair|desk|blender|toaster|speaker|router|keyboard|mouse|drive|memory card|television|"
               "vacuum|jacket|shoes|bag|wallet|bottle|mixer|fan|heater|bike|toy|guitar|dress|mat|clock|"
               "refrigerator|projector|tablet|adapter|stand|cover|knife|pan|oven|camcorder|radio|microphone",
    "adj": "new|compact|wireless|stainless steel|portable|durable|premium|lightweight|black|white|slim|digital|"
           "waterproof|powerful|quiet|rechargeable|adjustable|classic|stylish|soft|blue|red|professional|smart|"
           "energy-efficient|high-definition|universal|ergonomic|cotton|leather|fast|reliable|bright|easy",
    "feature": "a 1.7 l capacity|Bluetooth 5.0|a two-year warranty|automatic shut-off|noise reduction|a USB port|"
               "a removable filter|an LED display|fast charging|a carrying case|12 megapixels|a built-in speaker|"
               "a non-slip base|four USB ports|a remote control|a rechargeable battery|a touch screen|"
               "password protection|parental controls|voice control|Google Assistant|an instruction manual|"
               "a quick start guide|an access code for online content|a secret compartment|a security lock|"
               "a hidden zipper|multiple user profiles|a system recovery disc|text messaging|a command dial",
    "use": "at home|in the office|while traveling|in the kitchen|outdoors|for your family|at the gym|at school|"
           "on long trips|in any room|with friends|during meetings|at night|in the car|on the go|every day",
    "benefit": "saves space|keeps drinks hot for hours|makes cleaning easy|delivers clear sound|fits any desk|"
               "prints up to 30 pages per minute|protects your data|resists scratches|works with most devices|"
               "gives you more control|lets you share photos|reduces noise|stores thousands of songs|"
               "responds to your voice commands|stops viruses and hackers|keeps your passwords safe|"
               "shows you every detail|simplifies your system|follows your movements|prevents overheating",
    "story": "a detective hunts a killer|two friends rob a casino|an army fights a war against alien invaders|"
             "a hacker breaks into the government network|a woman falls in love with a thief|"
             "zombies attack the last city|a boy discovers his magic powers|a spy must stop a terrorist bomb|"
             "gangsters fight for control of the streets|a pirate searches for a lost treasure|"
             "a soldier seeks revenge for the murder of his family|an evil wizard enslaves the kingdom|"
             "a drug dealer tries to go straight|a robot learns to love|a serial killer escapes from prison|"
             "a family survives a plague|the hero must rescue the princess|an assassin is betrayed by his boss|"
             "a teenager runs away from home|players race stolen cars|a vampire fights his own kind",
    "gameverb": "battle|shoot|race|explore|conquer|destroy|rescue|build|fight|defeat|steal|sneak past|command|"
                "capture|blast|survive|unlock|collect|hunt|outsmart|join|lead|discover|master|become|play as",
    "gamenoun": "enemies|the galaxy|powerful bosses|your opponents|hidden levels|terrifying monsters|new weapons|"
                "your own empire|rival gangs|the undead|the criminal underworld|fast cars|a secret agent|"
                "a legendary hero|armies|more than 50 characters|deadly traps|ancient evil|friends online",
    "care": "clean with a damp cloth|do not immerse in water|charge the battery before first use|"
            "keep out of reach of children|read all instructions before use|follow the instructions in the manual|"
            "wash before wearing|store in a dry place|press the power button to start|say your command out loud|"
            "enter the access code on our website|do not use near open flame|assemble with the included tools|"
            "change your password regularly|remove the previous version before you install|"
            "ignore messages from unknown senders with the spam filter|write your name on the label|"
            "print your photos at home|repeat the process daily|type your message and press send|"
            "translate words with the built-in dictionary|act quickly before the sale ends|"
            "show your friends the pictures|play your favorite role in the story|see system requirements",
    "marketing": "looking for|ready for|tired of|need|want|searching for|sick of|dreaming of|in the mood for",
    "shopq": "can I return this item|how do I track my order|what is the delivery time|how can I pay|"
             "do you ship to Canada|is this dishwasher safe|does it come with batteries|what size should I order|"
             "how do I clean the filter|which model fits my phone|can I cancel my order|is it waterproof|"
             "how long does the battery last|where can I find the serial number|is it compatible with Windows|"
             "what is the warranty|how do I reset my password|what are the dimensions|can you hear the difference|"
             "which edition is best for you|what is in the box|how does it work|why choose this product|"
             "who is it for|what would your room look like|do you have what it takes|will you survive|"
             "can you find the treasure|are you ready to play|do you feel overwhelmed by cables",
    "spec": "Dimensions: 30 x 20 x 10 cm|Weight: 1.2 kg|Color: black|Material: cotton|Power: 2200 W|Memory: 8 GB|"
            "Processor: Intel Core i5|Operating system: Windows 7|Display: 15.6 inch|Warranty: 2 years|"
            "Interface: USB 2.0|Resolution: 1920 x 1080|Capacity: 500 ml|Model: KX-200|Package: 2 pieces|"
            "Rated M for mature: blood, violence, strong language|Artist: various|Genre: drama|"
            "Connector: HDMI|Speed: 300 Mbps|Battery: 2600 mAh|Age: 3 years and up|Fabric: polyester|Pack of 3",
    "review": "I love this {product}|my husband uses it every day|it stopped working after a week|"
              "I would buy it again|great value for the money|the instructions were hard to follow|"
              "my son plays it all day|I was disappointed with the battery|it arrived on time|"
              "you will not regret it|I wrote to the seller and got an answer|it does what it says",
}
