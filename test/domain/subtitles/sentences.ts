/** Sentences from subtitles, with the usual encodings of their languages. */
export const SENTENCES: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['en', ['windows-1252'], ['I’m sorry, I can’t do that – not now.', '“Where were you last night?”', 'He’s a naïve old man in a café…']],
  [
    'fr',
    ['windows-1252'],
    [
      'Je ne sais pas où elle est allée après la fête.',
      'Ça va être difficile, tu verras bientôt.',
      'Qu’est-ce que vous avez mangé à midi ?',
    ],
  ],
  [
    'de',
    ['windows-1252'],
    ['Ich möchte nur wissen, wo er die Schlüssel hingelegt hat.', 'Schöne Grüße an deine Mutter!', 'Das ist völlig unmöglich, weißt du.'],
  ],
  [
    'es',
    ['windows-1252'],
    ['¿Dónde está el niño que vivía aquí?', '¡No lo sé! Se marchó mañana y tarde.', 'Mi corazón está cansado, señor.'],
  ],
  ['pt', ['windows-1252'], ['Não sei onde estão as crianças.', 'Você já falou com a sua irmã?', 'É uma questão de tempo até à manhã.']],
  [
    'it',
    ['windows-1252'],
    ['Perché non mi hai detto la verità?', 'È già tardi, così andiamo via.', 'Non c’è più niente da fare in città.'],
  ],
  ['sv', ['windows-1252'], ['Jag förstår inte vad du pratar om, för helvete.', 'Var är pojken? Han är på gården.', 'Det här är över nu.']],
  ['da', ['windows-1252'], ['Jeg ved ikke, hvor han er på vej hen.', 'Må jeg få et glas øl?', 'Det er længe siden, æblerne er rådne.']],
  ['fi', ['windows-1252'], ['Minä en tiedä, missä hän on.', 'Tämä on hyvä päivä kuolla.', 'Älä mene sinne yöllä.']],
  ['is', ['windows-1252'], ['Ég veit ekki hvað það er.', 'Þú ert að verða brjálaður.', 'Hvar er móðir þín?']],
  [
    'pl',
    ['windows-1250', 'iso-8859-2'],
    ['Nie wiem, gdzie on się podział.', 'Proszę cię, nie rób mi tego więcej.', 'Co się stało z twoją żoną? Źle wyglądasz, wszyscy są źli.'],
  ],
  [
    'cs',
    ['windows-1250', 'iso-8859-2'],
    ['Nevím, kde je můj přítel.', 'Prosím tě, nechoď tam ještě dnes.', 'Co se stalo s tvojí ženou? Říkal jsem ti to včera.'],
  ],
  [
    'sk',
    ['windows-1250'],
    ['Neviem, kde je môj priateľ.', 'Prosím ťa, nechoď tam ešte dnes.', 'Čo sa stalo s tvojou ženou? Hovoril som ti to včera.'],
  ],
  [
    'hu',
    ['windows-1250', 'iso-8859-2'],
    ['Nem tudom, hol van a barátom.', 'Kérlek, ne menj oda ma éjjel, őrült vagy!', 'Mi történt a feleségeddel? Tűnj el innen!'],
  ],
  [
    'ro',
    ['windows-1250'],
    [
      'Nu ştiu unde este prietenul meu.',
      'Te rog, nu te duce acolo în noaptea asta.',
      'Ce s-a întâmplat cu soţia ta? Mâine plecăm la ţară.',
    ],
  ],
  [
    'hr',
    ['windows-1250'],
    ['Ne znam gdje je moj prijatelj, što želiš?', 'Molim te, nemoj ići tamo noću.', 'Šta se dogodilo s tvojom ženom? Ništa, kaže čovjek.'],
  ],
  [
    'tr',
    ['windows-1254'],
    ['Arkadaşımın nerede olduğunu bilmiyorum.', 'Lütfen bu gece oraya gitme.', 'Karına ne oldu? Çok güzel bir kadındı, değil mi?'],
  ],
  [
    'lt',
    ['windows-1257'],
    ['Aš nežinau, kur mano draugas.', 'Prašau tavęs, neik ten šiąnakt.', 'Kas nutiko tavo žmonai? Ji išėjo į miestą anksčiau.'],
  ],
  [
    'lv',
    ['windows-1257'],
    ['Es nezinu, kur ir mans draugs šodien.', 'Lūdzu, neej tur šonakt.', 'Kas notika ar tavu sievu? Viņa aizgāja pēc ūdens.'],
  ],
  ['et', ['windows-1257'], ['Ma ei tea, kus mu sõber on.', 'Palun ära mine sinna täna öösel.', 'Mis su naisega juhtus? Ta läks kööki.']],
  [
    'ru',
    ['windows-1251', 'koi8-r', 'ibm866', 'iso-8859-5'],
    ['Я не знаю, где он сейчас.', 'Пожалуйста, не ходи туда сегодня ночью.', 'Что случилось с твоей женой? Она ушла вчера.'],
  ],
  [
    'uk',
    ['windows-1251', 'koi8-u'],
    ['Я не знаю, де він зараз є.', 'Будь ласка, не йди туди сьогодні вночі.', 'Що сталося з твоєю дружиною? Її немає вже тиждень.'],
  ],
  [
    'bg',
    ['windows-1251'],
    ['Не знам къде е той сега.', 'Моля те, не отивай там тази вечер.', 'Какво се случи с жена ти? Тя замина вчера.'],
  ],
  ['sr', ['windows-1251'], ['Не знам где је он сада.', 'Молим те, не иди тамо ноћас.', 'Шта се десило са твојом женом?']],
  [
    'el',
    ['windows-1253', 'iso-8859-7'],
    ['Δεν ξέρω πού είναι τώρα.', 'Σε παρακαλώ, μην πας εκεί απόψε.', 'Τι συνέβη στη γυναίκα σου; Άσε με ήσυχο.'],
  ],
  ['he', ['windows-1255'], ['אני לא יודע איפה הוא עכשיו.', 'בבקשה, אל תלך לשם הלילה.', 'מה קרה לאשתך? היא הלכה אתמול.']],
  ['ar', ['windows-1256'], ['لا أعرف أين هو الآن.', 'من فضلك، لا تذهب إلى هناك الليلة.', 'ماذا حدث لزوجتك؟ لقد رحلت بالأمس.']],
  ['fa', ['windows-1256'], ['نمي دانم الان کجاست.', 'خواهش مي کنم امشب به آنجا نرو.', 'چه اتفاقي براي همسرت افتاد؟']],
  ['th', ['windows-874'], ['ผมไม่รู้ว่าเขาอยู่ที่ไหน', 'ได้โปรด อย่าไปที่นั่นคืนนี้', 'เกิดอะไรขึ้นกับภรรยาของคุณ']],
  [
    'ja',
    ['shift_jis', 'euc-jp'],
    ['彼がどこにいるのか分からない', 'お願いだから今夜はあそこへ行かないで', '奥さんに何があったんだ？', 'ドクター、急いでください！'],
  ],
  ['ko', ['euc-kr'], ['그가 어디 있는지 모르겠어요.', '제발 오늘 밤에는 거기 가지 마세요.', '당신 아내에게 무슨 일이 있었나요?']],
  ['zh', ['gb18030'], ['我不知道他现在在哪里', '求你今晚不要去那里', '你妻子发生了什么事？她昨天走了', '谢谢你，博士']],
  ['zh-Hant', ['big5'], ['我不知道他現在在哪裡', '求你今晚不要去那裡', '你妻子發生了什麼事？她昨天走了']],
  ['vi', ['windows-1258'], ['Tôi không biết anh ấy ở đâu.', 'Làm ơn đừng đến đó tối nay.', 'Chuyện gì đã xảy ra với vợ anh?']],
]
