/**
 * Words that most guessed passwords are built from, taken from public lists of leaked passwords. Passwords that meet
 * the rules are often one of these with a capital, digits and a sign: `Password1!`, `Summer2026`.
 */
const WORDS = new Set(
  `
  password passw0rd passwort p@ssword p@ssw0rd pa55word pa$$word pa$$w0rd passphrase pass passcode passme
  password123abc mypassword yourpassword newpassword oldpassword defaultpassword temppassword testpassword
  adminpassword userpassword changeme changeit change letmein letmein! letmein1now welcome welc0me w3lcome
  welcomeback welcomehome hello hello123world helloworld iloveyou iloveu iloveme loveyou lovelove loveme
  iloveyou2 iloveyousomuch trustno trustnoone trustme whatever nothing secret s3cret topsecret mysecret
  private access accessdenied login logon signin guest user username usuario default temp temporary test
  tester testing testtest test123test demo sample example root toor admin adm1n administrator administrador
  administrateur sysadmin superuser super superadmin manager master m@ster masterkey system security secure
  secur1ty backup server database oracle computer internet network windows microsoft google facebook twitter
  instagram linkedin youtube yahoo gmail hotmail amazon netflix apple samsung android iphone nokia motorola
  qwerty qwert qwertz azerty qwertyu qwertyui qwertyuiop qwertyqwerty qwerty123qwerty qwer qweasd qweasdzxc
  qweqwe qweqweqwe qwerqwer asdf asdfg asdfgh asdfghj asdfghjk asdfghjkl asdasd asdasdasd asdfasdf asdqwe
  zxcv zxcvb zxcvbn zxcvbnm zxczxc zxcvzxcv poiuyt poiuytrewq lkjhgf lkjhgfdsa mnbvcxz 1qaz2wsx 1q2w3e4r
  1q2w3e 1q2w3e4r5t 1q2w3e4r5t6y q1w2e3 q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 1qazxsw2 1qaz1qaz 2wsx3edc qazwsx
  qazwsxedc qazxsw qaz2wsx qwe123asd zaq12wsx zaq1zaq zaq1xsw2 zaq!2wsx !qaz2wsx 1qaz@wsx a1b2c3 a1b2c3d4
  a1b2c3d4e5 1a2b3c 1a2b3c4d 1a2b3c4d5e aa123456 a123456 a12345678 a123456789 abc abcd abcde abcdef abcdefg
  abcdefgh abcdefghi abcabc abcabcabc abc123abc abc123def abcd1234abcd xyz xyzxyz aaaa aaaaa aaaaaa aaaaaaa
  aaaaaaaa bbbbbb cccccc xxxx xxxxxx xxxxxxxx zzzzzz zzzzzzzz qqqqqq qqqqqqqq wwwwww wwwwwwww
  monday tuesday wednesday thursday friday saturday sunday weekend holiday vacation january february march
  april may june july august september october november december spring summer autumn fall winter season
  morning evening midnight today tomorrow yesterday forever always never
  football baseball basketball softball soccer hockey tennis golf golfer volleyball rugby cricket boxing
  wrestling swimming running runner racing racer fishing hunting hunter skate skater skateboard surfing
  surfer sports champion champions winner player gamer gaming games playstation xbox nintendo pokemon
  pikachu minecraft fortnite roblox warcraft starcraft counterstrike callofduty halo zelda mario sonic tetris
  dragon dragonfly dragonball tiger tigers lion lions bear bears eagle eagles falcon falcons hawk hawks panther
  panthers wolf wolves wolverine wildcat wildcats bulldog bulldogs cowboy cowboys yankees redsox lakers
  celtics steelers packers patriots dolphins broncos raiders giants chargers dodgers cubs chicago boston
  newyork london paris berlin dallas denver houston austin phoenix florida texas california america
  american usa canada mexico brazil france germany england ireland scotland spain italy russia china
  japan korea india australia philadelphia pittsburgh pennsylvania washington seattle atlanta
  arsenal chelsea liverpool liverpoolfc manchester manutd barcelona realmadrid juventus milan ronaldo messi
  superman batman spiderman ironman hulk avengers avenger captain captainamerica thor marvel joker robin
  starwars startrek jedi skywalker darthvader yoda chewbacca matrix neo terminator gandalf frodo hobbit
  lordoftherings harrypotter hogwarts voldemort hermione gameofthrones winteriscoming simpsons homer bart
  mickey mickeymouse minnie donald disney princess prince queen king knight kingdom castle snoopy garfield
  scooby scoobydoo tinkerbell barbie hellokitty kitty cinderella
  sunshine sunflower sunset sunrise moonlight moon star stars starlight rainbow butterfly flower flowers
  rose roses daisy lily lavender jasmine angel angels angela heaven blessed blessing blessings jesus
  jesuschrist jesus1st christ god godisgood lord faith hope grace love lover lovers loving lovely peace
  happy happiness happyday joy smile smiley laugh freedom liberty justice victory lucky luckyone
  diamond crystal silver golden gold platinum black blackie white red blue green yellow orange purple pink
  brown bluesky redrose chocolate cookie cookies candy sugar honey banana apples cherry strawberry
  peaches peanut pepper ginger cinnamon vanilla coffee pizza cheese butter pancake burger icecream
  monkey monkeys donkey horse horses pony puppy puppies kitten kittens doggie doggy rabbit bunny
  chicken turtle snake spider dolphin penguin elephant giraffe zebra buddy buster max bella lucy molly
  bailey charlie cooper rocky sadie maggie shadow smokey tigger toby jake jack sammy duke bear bandit
  michael jennifer jessica ashley amanda daniel andrew joshua matthew anthony thomas robert william james
  john johnny joseph david richard christopher christian alexander alex nicholas jonathan jordan justin
  brandon brian kevin steven eric patrick george edward peter paul mark luke jason ryan tyler austin
  taylor hannah sarah samantha elizabeth emily emma olivia sophia sophie isabella victoria natalie nicole
  stephanie melissa michelle rebecca rachel laura lauren karen linda susan barbara patricia maria mary
  martha margaret helen nancy sandra carol andrea angelina anna annie amy kimberly kelly heather megan
  vanessa veronica gabriel miguel carlos jose juan pedro diego alejandro fernando roberto ricardo
  mother father mom dad mommy daddy mama papa family brother sister baby babygirl babyboy babydoll
  girlfriend boyfriend husband wife sweetie sweetheart sweety darling honeybun cutie beautiful pretty
  gorgeous handsome hottie sexy sexygirl playboy fuckyou fuckoff fuckme fuck shit bullshit asshole bitch
  biteme blowme bigdick pussy suckme
  mustang ferrari porsche mercedes corvette camaro charger challenger chevrolet chevy chevelle ford toyota
  honda nissan subaru jeep harley harleydavidson yamaha kawasaki suzuki ducati bmw audi volkswagen tesla
  guitar guitarist music musician piano drummer metallica slipknot nirvana beatles eminem rockstar rocknroll
  rock metal blink ginuwine britney shakira beyonce
  hunter2 ninja samurai killer killers soldier army marine marines navy airforce police sheriff fireman
  firefighter doctor nurse teacher student school college university lawyer hospital office business
  company corporate work worker working money dollar dollars cash rich million billion bitcoin
  thunder lightning storm stormy fire ice snow snowball snowman ocean river mountain island beach
  phantom ghost vampire zombie monster demon devil satan hell evil magic wizard witch merlin
  access14 action admin1234admin airborne amateur apollo arthur asshole1 avalon bigdog blazer bond booboo
  boomer booger brooklyn bronco buffalo butthead camel carmen casper chester chicks chris chucky
  compaq connect cool coolman cougar cowgirl crazy cricket1 dakota dallas1 danger dave death debbie
  digital dirty dreams eagle1 einstein elvis enter enterprise express fender fantasy fluffy foobar
  frank freddy fuckyou2 gemini genesis genius godzilla gregory hammer hannah1 hardcore heaven1 hendrix
  herman hockey1 hotdog indian jackass jackson jasper jeremy jerry johnson junior justdoit killme
  knicks ladies legend leslie little looser loser louise lowrider madison maverick maxwell mercury
  midnight1 miller mookie morgan mountain1 natasha nelson newport nirvana1 nissan1 online
  oliver open opensesame sesame passion penis phoenix1 please pokemon1 precious promise qazqaz
  rainbow1 ranger rangers raymond rebel redneck remember rusty sandy scorpion scorpio scott shannon shorty
  sierra simple slayer smith snickers snowboard spanky sparky spencer sprite stanley stella stupid
  success summer1 superstar swordfish sydney teddy teddybear thebest theman therock tiffany topgun
  travis trinity trouble turbo tweety unicorn united viking viper walter warrior warriors wicked winston
  woody yankee yellow1 zipper
  contrasena contraseña senha senha123 motdepasse bonjour soleil doudou loulou chouchou hallo schatz
  ficken geheim teamo tequiero amor amorcito mivida estrella princesa corazon hola familia
  lanternbook case caseload casework caseworker advocate advocates advocacy victim victims survivor survivors
  shelter hotline helpline counselor counsellor nonprofit staff client clients
  `
    .split(/\s+/)
    .filter(Boolean),
);

const edges = /^[^a-z]+|[^a-z]+$/g;

/** True if a password is a word of the list, in any case and with any digits and signs before or after it. */
export function isCommonPassword(password: string): boolean {
  const lower = password.toLowerCase();
  const core = lower.replace(edges, "");
  const digits = lower.replace(/[^a-z0-9]+$/, "");
  return [lower, core, digits, lower.replace(/\d+$/, "")].some((form) => WORDS.has(form));
}
