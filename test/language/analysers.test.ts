import { expect, test } from 'vitest'
import type { TokenWord, Vocabulary } from '#language/analysers/analyser.ts'
import { openAnalyser } from '#language/analysers/open-analyser.ts'
import { segment } from '#language/segment.ts'

function vocabularyOf(...words: string[]): Vocabulary {
  return { headwords: words, has: (text) => words.includes(text.toLocaleLowerCase()) }
}

/** What is found, as `text→lemma/lemma`; particles and auxiliaries have a `*`. */
function found(language: string, headwords: string[], text: string): string[] {
  const analyser = openAnalyser(language, vocabularyOf(...headwords))
  if ('analyse' in analyser)
    return analyser.analyse([text])[0]!.map((word) => describeWord(text.slice(word.start, word.end), word))
  const tokens = segment(text, language)
  return analyser.wordsOf(tokens, text).flatMap((words, i) =>
    (words ?? []).map((word) => {
      const said = tokens.slice(i, i + word.length).map((token) => token.text)
      return describeWord(said.join(' '), word)
    }),
  )
}

function describeWord(
  said: string,
  { lemmas, isFunctionWord }: Pick<TokenWord, 'lemmas' | 'isFunctionWord'>,
) {
  return `${said}→${lemmas.join('/')}${isFunctionWord ? '*' : ''}`
}

/** Holds that each form in a text of them is found under its headword. */
function expectHeadwords(language: string, forms: Record<string, string>): void {
  const text = Object.keys(forms).join(' ')
  const expected = Object.entries(forms).map(([form, headword]) => `${form}→${headword}`)
  expect(found(language, Object.values(forms), text)).toEqual(expected)
}

test('Japanese: morphemes with dictionary and normalised form', () => {
  expect(found('ja', [], '本を読んでいた。')).toEqual([
    '本→本',
    'を→を*',
    '読ん→読む/読ん',
    'で→で*',
    'い→いる/居る/い',
    'た→た*',
  ])
  expect(found('ja', [], '思い出した')).toEqual(['思い出し→思い出す/思い出し', 'た→た*'])
})

test('Japanese: grammar that is spelled like a word is not taken for it', () => {
  expect(found('ja', [], 'では、学生として')).toEqual(['では→では', '学生→学生', 'として→として*'])
  expect(found('ja', [], 'ここでは')).toEqual(['ここ→ここ/此処', 'で→で*', 'は→は*'])
  expect(found('ja', [], 'それらについて')).toEqual(['それ→それ/其れ', 'ら→ら*', 'について→について/ついて*'])
  expect(found('ja', [], 'POST')).toEqual(['POST→Post/POST'])
  expect(found('ja', [], '学生ではない')).toContain('で→だ/で*')
  expect(found('ja', [], 'いいのでは')).toContain('で→だ/で*')
  expect(found('ja', [], '機関銃付の')).toContain('付→付*')
  expect(found('ja', [], '学生とともに')).toEqual(['学生→学生', 'とともに→とともに*'])
})

test('Chinese: function words are taken off, pieces of words put together', () => {
  expect(found('zh', ['一', '个', '我', '是'], '一个我是')).toEqual(['一→一', '个→个', '我→我', '是→是'])
  expect(found('zh', ['收敛', '收'], '不收敛的')).toEqual(['收敛→收敛'])
  expect(found('zh', ['他', '们'], '他们')).toEqual(['他→他'])
  expect(found('zh', ['东', '西'], '东西')).toEqual([])
  expect(found('zh', ['文', '本', '看', '缓', '存'], '看看缓存文本')).toEqual(['看→看', '看→看', '缓存→缓存'])
})

test('Chinese: a token that the catalogue lacks is taken apart, unless it may be a word of its own', () => {
  const headwords = [
    '看',
    '书',
    '喝',
    '水',
    '昨天',
    '晚上',
    '这',
    '本',
    '咖啡',
    '店',
    '位',
    '总统',
    '东',
    '西',
    '日',
  ]
  const parts = (text: string) =>
    found('zh', [...headwords, '于', '副'], text).map((word) => word.split('→')[0])
  expect(parts('看书')).toEqual(['看', '书'])
  expect(parts('喝水')).toEqual(['喝', '水'])
  expect(parts('昨天晚上')).toEqual(['昨天', '晚上'])
  // Each character is a token of its own here, and the three are no word that the catalogue lacks.
  expect(parts('这本书')).toEqual([])
  expect(parts('咖啡店')).toEqual(['咖啡', '店'])
  expect(parts('副总统')).toEqual(['副', '总统'])
  expect(parts('位于')).toEqual(['位', '于'])
  expect(parts('东西')).toEqual([])
  expect(parts('日本')).toEqual([])
  expect(parts('水书')).toEqual(['水书'])
})

test('Chinese: a character of a number says no number, and an adverb that has grown together no word', () => {
  expect(found('zh', ['一', '三', '十', '二', '年', '位'], '三十二年第一位')).toEqual([
    '年→年',
    '一→一',
    '位→位',
  ])
  expect(found('zh', ['也', '是', '他'], '他也是')).toEqual(['是→是'])
  expect(found('zh', ['日', '本人', '人'], '日本人')).toEqual(['日本→日本', '人→人'])
})

test('Spanish: forms of verbs with their pronouns, plurals, feminines; what is a headword is itself', () => {
  expect(
    found(
      'es',
      ['tener', 'decir', 'casa', 'caso', 'parar', 'para', 'luz', 'rojo'],
      'tengo dímelo casas para luces rojas',
    ),
  ).toEqual(['tengo→tener', 'dímelo→decir', 'casas→casa', 'luces→luz', 'rojas→rojo'])
  expect(found('es', ['buscar', 'irse', 'poder'], 'buscándolas vámonos podríamos')).toEqual([
    'buscándolas→buscar',
    'vámonos→irse',
    'podríamos→poder',
  ])
})

test('Spanish: stems that change, verbs with a prefix, and spelling', () => {
  expectHeadwords('es', {
    piensas: 'pensar',
    pidió: 'pedir',
    durmiendo: 'dormir',
    trajeron: 'traer',
    oyes: 'oír',
    construyo: 'construir',
    cojo: 'coger',
    obtuvo: 'obtener',
    descrito: 'describir',
    envía: 'enviar',
  })
})

test('Spanish: of verbs that share a form, the neighbours tell; mover is moverse behind a pronoun', () => {
  expect(found('es', ['ser', 'ir', 'mover', 'moverse'], 'fue así fue a casa fui yo')).toEqual([
    'fue→ser',
    'fue→ir',
    'fui→ser',
  ])
  expect(found('es', ['mover', 'moverse'], 'muevo la mesa se mueve')).toEqual([
    'muevo→mover',
    'mueve→mover',
    'mueve→moverse',
  ])
  expect(found('es', ['creer', 'crear', 'sentir', 'sentar'], 'creo siento')).toEqual([
    'creo→creer',
    'siento→sentir',
  ])
})

test('Spanish: an article without a noun is a pronoun', () => {
  const headwords = ['el', 'él', 'ver', 'en', 'cuenta', 'contar']
  expect(found('es', headwords, 'ella la vio')).toEqual(['la→él', 'vio→ver'])
  expect(found('es', headwords, 'los que')).toEqual(['los→él'])
  expect(found('es', headwords, 'en la que la cuenta')).toEqual(['la→el', 'la→el'])
  expect(found('es', headwords, 'en la de')).toEqual(['la→él'])
})

test('headwords that only an accent tells apart are themselves', () => {
  expect(found('pt', ['a', 'á'], 'a á')).toEqual(['a→a', 'á→á'])
  expect(found('es', ['este', 'éste'], 'este')).toEqual(['este→este'])
})

test('Portuguese: the same by rules', () => {
  expectHeadwords('pt', {
    'fazê-lo': 'fazer',
    fiquei: 'ficar',
    corações: 'coração',
    animais: 'animal',
    'disse-me': 'dizer',
    fossem: 'ser',
  })
})

test('Portuguese: what looks like a verb with a prefix, accents, and short words', () => {
  expectHeadwords('pt', {
    deve: 'dever',
    mandam: 'mandar',
    construía: 'construir',
    dói: 'doer',
    reúne: 'reunir',
    pés: 'pé',
    duas: 'dois',
    algumas: 'algum',
    países: 'país',
    'deixa-me': 'deixar',
  })
  expect(found('pt', ['ver', 'dar'], 'deve mandam')).toEqual([])
  expect(found('pt', ['ajudar', 'ajuda'], 'ajuda-me')).toEqual(['ajuda-me→ajudar'])
})

test('a form that is a headword itself is a verb, too, where that is sure or a neighbour says so', () => {
  expect(found('pt', ['fez', 'fazer'], 'fez')).toEqual(['fez→fez', 'fez→fazer'])
  expect(found('es', ['sale', 'salir', 'digo', 'decir', 'he', 'haber'], 'sale digo he')).toEqual([
    'sale→sale',
    'sale→salir',
    'digo→digo',
    'digo→decir',
    'he→he',
    'he→haber',
  ])
  expect(found('es', ['cuenta', 'contar'], 'la cuenta')).toEqual([])
  expect(found('es', ['cuenta', 'contar'], 'no cuenta')).toEqual(['cuenta→cuenta', 'cuenta→contar'])
})

test('Spanish: plurals of words that end in -s, or whose accent moves', () => {
  expectHeadwords('es', { países: 'país', meses: 'mes', dioses: 'dios', órdenes: 'orden', jóvenes: 'joven' })
})

test('a capital letter inside a sentence begins a name, which is no form', () => {
  expect(found('es', ['estado', 'unir'], 'los Estados Unidos')).toEqual([])
})

test('Portuguese: verbs with a prefix, and those that only end like one', () => {
  expectHeadwords('pt', {
    obtém: 'obter',
    previsto: 'prever',
    descrito: 'descrever',
    vive: 'viver',
    meteu: 'meter',
    sigo: 'seguir',
    odeia: 'odiar',
    suas: 'seu',
  })
})

test('Portuguese: prepositions in contractions; é is ser and itself', () => {
  expect(found('pt', ['de', 'em', 'a', 'por', 'nos'], 'do nesta às pelos nos')).toEqual([
    'do→de',
    'nesta→em',
    'às→a',
    'pelos→por',
  ])
  expect(found('pt', ['é', 'ser', 'ir'], 'é foi embora')).toEqual(['é→é', 'é→ser', 'foi→ir'])
})

test('Russian: the dictionary form of the likeliest parse', () => {
  expect(found('ru', [], 'говорила друзьях')).toEqual(['говорила→говорить', 'друзьях→друг'])
  expect(found('ru', [], 'чем второй больше им первая мой')).toEqual([
    'чем→чем',
    'второй→второй',
    'больше→больше/большой',
    'им→он',
    'первая→первый',
    'мой→мой',
  ])
})

test('Russian: of parses as likely as each other, the one that is usually meant', () => {
  expect(found('ru', [], 'лет новые открыты лучших')).toEqual([
    'лет→год',
    'новые→новый',
    'открыты→открыть',
    'лучших→лучший/хороший',
  ])
  expect(found('ru', [], 'Хиландар')).toEqual(['Хиландар→'])
})

test('Russian: before a noun or an adjective, его and этого are no pronouns', () => {
  expect(found('ru', [], 'его дом, видел его')).toEqual(['его→его/он', 'дом→дом', 'видел→видеть', 'его→он'])
  expect(found('ru', [], 'этого дома, этого')).toEqual(['этого→этот/это', 'дома→дом', 'этого→это/этот'])
})

test('Turkish: suffixes behind stems as sounds change them', () => {
  expectHeadwords('tr', {
    gidiyorum: 'gitmek',
    kitabı: 'kitap',
    arkadaşlarımdan: 'arkadaş',
    başlıyor: 'başlamak',
    ağzını: 'ağız',
    saati: 'saat',
    hakkı: 'hak',
    yapabilirsin: 'yapmak',
    suyun: 'su',
    hikayeler: 'hikâye',
  })
  expect(found('tr', ['kitap'], 'kitapmek')).toEqual([])
})

test('Turkish: the roots of the lexicon are no forms of shorter words; pronouns have forms of their own', () => {
  expect(found('tr', ['içmek', 'bir', 'ol'], 'için birim birimler olay')).toEqual([])
  expect(found('tr', ['on', 'o'], 'ona onda onlar')).toEqual(['ona→o', 'onda→o', 'onlar→o'])
})

test('Turkish: what cannot, must and does not happen', () => {
  expectHeadwords('tr', {
    yapamıyorum: 'yapmak',
    gidemem: 'gitmek',
    gelemeyiz: 'gelmek',
    dönmeliyim: 'dönmek',
    istemem: 'istemek',
  })
})

test('Turkish: -lar makes a plural, and a root that the catalogue lacks may be a form of what it has', () => {
  expect(found('tr', ['yara', 'yaralamak'], 'yaralar yaralarımı yaraladı')).toEqual([
    'yaralar→yara',
    'yaralarımı→yara',
    'yaraladı→yaralamak',
  ])
  expect(found('tr', ['taraf', 'geçmek', 'üst'], 'tarafından geçer üstüne')).toEqual([
    'tarafından→taraf',
    'geçer→geçmek',
    'üstüne→üst',
  ])
})

test('Turkish: verbs count where a noun or a verb without suffixes is less likely', () => {
  expect(found('tr', ['vermek', 'bölüm', 'at', 'atmak'], 'veren bölümler attı')).toEqual([
    'veren→vermek',
    'bölümler→bölüm',
    'attı→atmak',
  ])
  expect(found('tr', ['uçmak'], 'uç uçtan')).toEqual([])
})

test('English: irregular forms and regular inflection', () => {
  expectHeadwords('en', {
    went: 'go',
    children: 'child',
    studies: 'study',
    making: 'make',
    stopped: 'stop',
    staring: 'stare',
    boxes: 'box',
    older: 'old',
    happiest: 'happy',
  })
  expect(found('en', ['the', 'we', 'teach', 'new'], 'thing wing teacher news')).toEqual([])
})

test('English: what is a headword is also a form of another, if it is often one', () => {
  expect(found('en', ['see', 'saw', 'leave', 'left', 'grind', 'ground'], 'saw left ground')).toEqual([
    'saw→saw',
    'saw→see',
    'left→left',
    'left→leave',
  ])
  expect(found('en', ['meet', 'meeting'], 'a meeting')).toEqual([])
  expect(found('en', ['meet', 'meeting'], 'are meeting')).toEqual([
    'are→be',
    'meeting→meeting',
    'meeting→meet',
  ])
})

test('English: a contraction says all its words', () => {
  expect(found('en', [], "don't that's I'll")).toEqual([
    "don't→do",
    "don't→not",
    "that's→that",
    "that's→be",
    "I'll→i",
    "I'll→will",
  ])
  expect(found('en', [], "won't gonna it’s been")).toEqual([
    "won't→will",
    "won't→not",
    'gonna→going/go',
    'gonna→to',
    'it’s→it',
    'it’s→have',
    'been→be',
  ])
  expect(found('en', [], "women's")).toEqual(["women's→woman/women"])
  expect(found('en', ["don't"], "don't")).toEqual(["don't→don't", "don't→do", "don't→not"])
})

test.each([
  ['look it up', 'look it up'],
  ['she picked the two kids up', 'picked the two kids up'],
  ['turn your phone off', 'turn your phone off'],
])('English: an object may stand between verb and particle: %s', (text, said) => {
  const separated = found('en', ['look up', 'pick up', 'turn off'], text)
  expect(separated.filter((each) => each.includes(' '))).toHaveLength(1)
  expect(separated.join()).toContain(`${said}→`)
})

test.each([
  'put it on the table',
  'look, he gave up',
  'put the book that fell on',
  'put one two three four on',
])('English: a verb and a preposition are no verb with its particle: %s', (text) => {
  expect(found('en', ['put on', 'look up'], text).filter((each) => each.includes('put on'))).toEqual([])
})
