import { caseKey } from '../lower-case.ts'
import type { Analyser, Vocabulary } from './analyser.ts'
import { byToken } from './generated-forms.ts'

/** What of a word may follow its stem, by what the stem is. */
type Kind = 'noun' | 'verb'

interface Stem {
  headword: string
  kind: Kind
}

/**
 * The Turkish analyser: a token is a form of the headword with the longest stem that leaves a chain
 * of suffixes in vowel harmony. Stems are the headwords with what sounds change in them: kitap,
 * kitab-; ağız, ağz-; gitmek, gid-; başlamak, başl-ıyor.
 */
export function openTurkish(vocabulary: Vocabulary): Analyser {
  const stems = new Map<string, Stem[]>()
  for (const headword of vocabulary.headwords) {
    for (const [stem, kind] of stemsOf(caseKey(headword, 'tr'))) {
      const known = stems.get(stem)
      if (known) known.push({ headword, kind })
      else stems.set(stem, [{ headword, kind }])
    }
  }
  return byToken('tr', (token) => {
    const found = vocabulary.has(token) ? [] : headwordsOf(caseKey(token, 'tr'), stems)
    return found.map((headword) => [headword])
  })
}

function* stemsOf(word: string): Generator<[stem: string, kind: Kind]> {
  if (!/^\p{L}+$/u.test(word)) return
  const infinitive = /^(.+)m[ae]k$/.exec(word)
  if (infinitive) {
    const stem = infinitive[1]!
    yield [stem, 'verb']
    // gitmek, gidiyor; başlamak, başlıyor: both before a vowel only.
    if (stem.endsWith('t')) yield [`${stem.slice(0, -1)}d`, 'verb']
    if (/[aeıiuü]$/.test(stem) && stem.length > 2) yield [stem.slice(0, -1), 'verb']
  }
  if (word.length < 2) return
  yield [word, 'noun']
  const soft: Record<string, string> = { p: 'b', ç: 'c', t: 'd', k: 'ğ' }
  const last = word.at(-1)!
  if (soft[last]) yield [word.slice(0, -1) + soft[last], 'noun']
  if (word.endsWith('nk')) yield [`${word.slice(0, -1)}g`, 'noun']
  const narrow = /^(.*[aeıioöuü][^aeıioöuü]?)([ıiuü])([^aeıioöuü])$/.exec(word)
  if (narrow && word.length <= 6) yield [narrow[1]! + narrow[3]!, 'noun']
}

/**
 * Common words that a stem and a suffix would spell, too: için (for) is no form of içmek (to
 * drink), nor artı (plus) of art. Where the catalogue has them, it spells them itself.
 */
const otherRoots = new Set(
  'için artı açı alan girdi çıktı onlar onlara onları onların bunlar şunlar ondan onun ona onu on önce sonra gibi kadar göre karşı doğru yalnız ancak fakat çünkü eğer belki bile hatta ayrıca yani ise ile veya yada ya da de ki mi mı mu mü ama hem hiç her bazı birçok birkaç çoğu hepsi herkes kimse şey şeyler biri birisi diğer başka aynı böyle şöyle öyle nasıl neden niçin niye nerede nere hangi kaç bu şu o ben sen biz siz kendi değil var yok evet hayır tamam lütfen işte şimdi bugün yarın dün hemen artık henüz daha en çok az pek fazla biraz oldukça tam hep yine gene belirli sürekli olasılık olası olay oran orta ortak alt üst yan yanı ilgi ilgili bilgi bilgisayar bilim sevgi saygı görev görsel gösterge gösteri gerek gerçek gerçekten gerekli geri gelecek geçmiş giriş çıkış yazı yazılım yapı yapay yardım yarı yüzey yüz yüzden çizgi çizim çizelge sayı sayısal satır sıra sınır sınıf sıfır son sonuç sonsuz soru sorun süre sürüm türev türü tür konu konum koşul kural kurul kuvvet küme kenar kesin kesir kısım kısmi dizi dizin düzen düzlem düz dönüş dönüşüm döngü duygu durum duruş denklem deney denge değer değişken değişim derece deri dikey dikkat dil dış eğri eğim eğitim eleman etki etkin etkileşim eksen ek ekran elbette farkı fikir ifade iken inanç insan işlem işlev işaret itiraf izin kalem kalın kanıt kare kat katman katsayı katı kimi kimlik kim kır korku kullanıcı kütle matris neredeyse nokta oda olgu oyun öğrenci öğretmen öğe ölçü ölçek ölüm önem önemli ön özel öz özellik parça pay payda rakam sanat seçim seçenek sebep sezgi simge sistem söz sözcük taban tane tanım tarih tek temel teori toplam top tutar uç uçak uzay uzun ürün vektör yakın yaklaşık yaşam yatay yaygın yer yeni yeter yeterli yol yön yöntem yüksek zaman zor örnek üzeri üzere üzerinde üçgen çarpım çarpı bölü bölüm böylece çember çevre çift çoğunluk çözüm açıklama anlam anlamlı ara araç aralık arka asıl aşağı aşama ayna aydın azalan bağ bağlantı bağlı başlangıç baskı bakış basınç basit basamak boy boyut boş bulgu buluş büyük bütün'.split(
    ' ',
  ),
)

const back = 'aıou'
const front = 'eiöü'

/**
 * Suffixes with their vowels and consonants by class: A is a or e, I is ı, i, u or ü, D is d or t,
 * C is c or ç.
 */
function suffixes(pattern: string): RegExp {
  const classes: Record<string, string> = {
    A: '[ae]',
    I: '[ıiuü]',
    D: '[dt]',
    C: '[cç]',
    G: '[gğk]',
    K: '[kğ]',
  }
  return new RegExp(
    `^(?:${pattern.replace(/[ADICGK]/g, (letter) => classes[letter]!).replace(/\s+/g, '')})$`,
    'u',
  )
}

const possessive = '(?:I?m|I?n|s?I|I?mIz|I?nIz|lArI)'
const cases = '(?:y?I|n?I|y?A|n?A|n?DA|n?DAn|n?In|y?lA|n?CA)'
const copula = '(?:DIr|DIrlAr|y?DI[mnk]?|y?DInIz|y?DIlAr|y?mIş(?:Im|sIn|Iz|lAr)?|y?sA[mnk]?|y?ken)'
const nominal = `(?:lAr)?${possessive}?${cases}?(?:ki(?:lAr)?(?:n?${cases})?)?${copula}?`
const noun = suffixes(nominal)

const voice = '(?:I?n|I?l|I?ş|DIr|I?r|t|Il|In)*'
const ability = '(?:y?Abil|y?AmA|y?A)?'
const negation = '(?:m[aeıiuü])?'
const person = '(?:Im|m|sIn|n|k|Iz|yIz|sInIz|nIz|lAr|y?Im|ız|z)?'
const tense =
  '(?:[ıiuü]?yor|[ıiuü]yor|y?AcAK|y?AcağI|DI|mIş|[aeıiuü]?r|z|mAktA|mAlI|sA|y?A|sIn|sInlAr|y?In|y?InIz)'
const after = '(?:(?:y?DI|y?mIş|y?sA|DIr)(?:m|n|k|Im|sIn|Iz|nIz|sInIz|lAr)?)?'
const participle = `(?:y?An|DIK|DIğI|y?AcAK|y?AcağI|mIş|mA|mAK|mAğ|y?Iş|y?ICI)${nominal}`
const converb = '(?:y?Ip|y?ArAK|y?IncA|mAdAn|DIkçA|y?ken|y?AlI|mAksIzIn|y?A)'
const finite = `${tense}${person}${after}(?:lAr)?`
const verb = suffixes(`${voice}${ability}${negation}(?:${finite}|${participle}|${converb}|${tense}ken)`)

function headwordsOf(token: string, stems: ReadonlyMap<string, Stem[]>): string[] {
  // What follows an apostrophe is a suffix of a name: Türkiye'de.
  const word = token.replace(/'.*$/, '')
  if (word !== token && stems.has(word))
    return (stems.get(word) ?? []).filter(({ kind }) => kind === 'noun').map(({ headword }) => headword)
  for (let end = word.length; end > 0; end--) {
    const isOther = otherRoots.has(word.slice(0, end)) && !stems.has(word.slice(0, end))
    if (isOther && (end === word.length || noun.test(word.slice(end)))) return []
    if (end === word.length) continue
    const found = stems.get(word.slice(0, end))?.filter((stem) => isForm(word, end, stem))
    if (!found?.length) continue
    // A stem that stands as the dictionary has it goes before one that sounds have changed: ad, not
    // at.
    const unchanged = found.filter(({ headword }) => headword.startsWith(word.slice(0, end)))
    return [...new Set((unchanged.length > 0 ? unchanged : found).map(({ headword }) => headword))]
  }
  return []
}

function isForm(word: string, end: number, { headword, kind }: Stem): boolean {
  const rest = word.slice(end)
  const stem = word.slice(0, end)
  // A changed stem stands before a vowel only.
  const isChanged = !headword.startsWith(stem) || (kind === 'verb' && !/m[ae]k$/.test(headword.slice(end)))
  if (isChanged && !/^[aeıioöuü]/.test(rest)) return false
  return (kind === 'verb' ? verb : noun).test(rest) && isInHarmony(stem, rest)
}

/** Each vowel of a suffix is of the class of the one before, but for -yor, -ken and -ki. */
function isInHarmony(stem: string, rest: string): boolean {
  let last = [...stem].findLast((letter) => back.includes(letter) || front.includes(letter))
  if (last === undefined) return true
  const plain = rest.replace(/ken|ki/g, (suffix) => suffix.replace(/[ei]/, ''))
  for (const letter of plain) {
    if (letter === 'o') {
      last = letter
      continue
    }
    if (!back.includes(letter) && !front.includes(letter)) continue
    if (back.includes(letter) !== back.includes(last)) return false
    last = letter
  }
  return true
}
