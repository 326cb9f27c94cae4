import { readDataLines } from '#language/analysers/data-file.ts'
import { cacheByText } from '#language/cache-by-text.ts'
import type { CueTally } from '../cue-tally.ts'
import { foldBlanks } from './clean-text.ts'
import { countLetters, type RawCue } from './cue.ts'

/**
 * Text in subtitles that nobody speaks. The patterns blank it and keep the length of the text, so
 * that the times inside it can be moved.
 */

/** Musical notes, and the signs for them at both ends of a cue. The words between them stay. */
const notes = /[♩♪♫♬♭♯🎵🎶¶]+\ufe0f?|^[#*](?= [^]* [#*]$)|[#*]$(?<=^[#*] [^]* [#*])/gu

/** The endings of English verbs that describe a sound. */
const verbEnding = '(?:e?s|e?d|ing)(?!\\p{L})'
const soundLines = readDataLines('sounds.txt', import.meta.dirname)
const verbs = soundLines
  .filter((line) => line.startsWith('= '))
  .map((line) => line.slice(2))
  .join('|')
/** A verb alone, as in `*sigh*`. */
const bareVerb = new RegExp(`^(?:${verbs})$`, 'i')
/**
 * Sounds that captions put in brackets. The match starts at a word, except in scripts without
 * spaces, and in Korean, where the word for a sound is the last part of a compound.
 */
const sounds = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{M}])(?:` +
    [...soundLines.filter((line) => !line.startsWith('= ')), `(?:${verbs})${verbEnding}`]
      .join('|')
      // The `\b` of regular expressions takes é for a word boundary.
      .replaceAll('\\b', '(?!\\p{L})') +
    ')',
  'iu',
)

const bracketPair =
  /\[[^[\]]{1,80}\]|\{[^{}]{1,40}\}|<[^<>]{1,40}>|【[^】]{1,80}】|\([^()]{1,60}\)|（[^（）]{1,60}）|\*[^*\n]{1,40}\*/gu

/** Words after which a single word belongs to the sentence: `the (ticking) clock`. */
const insideSentence =
  /(?<!\p{L})(?:an?|the|this|that|is|are|was|were|be|been|very|so|my|your|his|her|its|our|their|of|to|in) $/iu

/** The reading of a word, in brackets after it: kana after kanji, pinyin after Chinese. */
const readings = new Map([
  [
    'ja',
    /(?<=[\p{Script=Han}々])(?:[（(][\p{Script=Hiragana}\p{Script=Katakana}ー・]{1,20}[）)]|《[\p{Script=Hiragana}\p{Script=Katakana}ー・]{1,20}》|\[[\p{Script=Hiragana}\p{Script=Katakana}ー・]{1,20}\])|[｜|](?=[^《｜|\n]{1,20}《[\p{Script=Hiragana}\p{Script=Katakana}ー・]{1,20}》)/gu,
  ],
  [
    'zh',
    /(?<=\p{Script=Han})[（(](?=[^（()）]*[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ])[\p{Script=Latin}\p{M}\s'’]{1,40}[）)]/giu,
  ],
])
/** Replaces the letters of a reading: whitespace for JavaScript, but no gap in a word. */
const readingBlank = '\ufeff'

/** The credits of subtitles that people and sites add, and that recognisers invent in silence. */
const credit = new RegExp(
  String.raw`^\P{L}*(?:(?:(?:re)?sync|correct|rip)\p{L}*.* by |subtitle|caption|untertitel|sous-titr|sottotitoli|legenda|subtítulo|napisy|ondertitel|undertext|altyazı|субтитры|字幕|中文字幕).*(?:opensubtitles|addic7ed|amara\.org|podnapisi|subscene|tvsubtitles|yts\.)` +
    '|(?:opensubtitles|addic7ed|subscene|podnapisi)\\.(?:com|org|net)|osdb\\.link|(?:^|\\P{L})yts\\.mx|by https?://otter\\.ai' +
    '|^(?:trans(?:lator|criber)|trad(?:uctor|utor)a?|traduct(?:eur|rice)|traduttore|übersetzung|vertaald door|çeviri|tłumaczenie|переводчик|翻译人员|譯者|翻訳|번역) ?[:：].* (?:reviewer|revisora?|relec(?:teur|trice)|revisore|lektorat|nagekeken door|gözden geçirme|korekta|редактор|校对人员|審譯者?|校正|검토) ?[:：]' +
    '|^untertitel(?:ung)? (?:des|im auftrag des) (?:zdf|ard|swr|ndr|wdr|br|mdr)(?!\\p{L})' +
    "|^sous-titrage (?:st' ?501|société radio-canada)" +
    '|^(?:субтитры (?:сделал|создавал|подогнал)(?!\\p{L})|редактор субтитров \\p{L}\\.)' +
    '|^(?:中文)?字幕(?:志愿者|志願者|提供(?:者|\\P{L}|$))',
  'iu',
)

/** Two or more words in capitals: `(DOOR SLAMS)`. */
const loud = /^\p{Lu}[\p{Lu}'’-]+(?: \p{Lu}[\p{Lu}'’-]*)+$/u

/**
 * `>>` before a new speaker: at the start of a line, or after the end of a sentence. The
 * one-character lookahead and lookbehind come first, so that the engine walks back over whitespace
 * only once for each `>>`.
 */
const arrows = /(?=>>|＞＞)(?<![>＞])(?<=(?:^|\n|[.?!…,–—-]["”']?)[ \t]*)(?:>{2,}|＞{2,})/gu

/** A dash before a speaker, at the start of a line. Not before a digit: `-5`. */
const dashes = /(?<=^|\n)[ \t]*[-–—‐]+(?=[ \t]*[\p{L}[("“«¿¡'])/gu

/** Every label has one of these. Testing for it is faster than the patterns for labels. */
const anyColon = /[:：]/
const openBracket = /[[(（【]/

/** The colon after a label and the text in brackets that belongs to it: `ANNA (whispering):`. */
const colon = String.raw`(?:[ \t]?\([^()\n]{1,30}\))?[ \t]{0,60}(?:：|:(?=\s|$|\p{Lu}))`
const name = String.raw`\p{Lu}[\p{L}\p{M}'’.&-]*`
/** A label in capitals, up to four words: `JOHN:`, `MALE SPEAKER 2:`, `ANNA, TOM:`. */
const loudLabel = new RegExp(
  String.raw`(?<=^|\n|>)[ \t]*(\p{Lu}[\p{Lu}\p{M}'’.&-]*(?:,? \p{Lu}[\p{Lu}\p{M}'’.&-]*){0,3}(?: \d{1,2})?)${colon}`,
  'gu',
)
/**
 * A label of one to three names, perhaps with a number: `Lars Rasmussen:`, `Sprecher 1:`. In
 * scripts without capitals, one or two.
 */
const nameLabel = new RegExp(
  String.raw`(?<=^|\n|>)[ \t]*((?:${name}(?: ${name}){0,2}|[\p{Lo}\p{M}ー・]{1,12}(?: [\p{Lo}\p{M}]{1,12})?)(?: ?\d{1,2})?)${colon}`,
  'gu',
)
/** The rest of `[SPEAKER_01]: Hello` without its bracket. */
const lonelyColon = /(?<=^|\n)[ \t]*[:：](?=\s)/gu
/** A role instead of a name: `man #3:`, `SPEAKER_01:`, `из зала:`. */
const partLabel = new RegExp(
  String.raw`(?<=^|\n|>)[ \t]*(?:(?:first|second|third|fourth|fifth|another|young|old|male|female) )?(?:man|woman|boy|girl|audience(?: member)?|speaker|spk|narrator|interviewer|presenter|journalist|moderator|из зала|голос из зала|voix off)(?:[ _]?#?(?:\d+|[a-z](?!\p{L})))?${colon}`,
  'giu',
)
/** A label in brackets, at the start of a line: `[Anna]`, `[SPEAKER_00]:`, `（太郎）`. */
const bracketLabel =
  /(?<=^|\n|>|(?:^|\n)[-–—] ?)[ \t]*(?:\[([^[\]\n]{1,40})\]|\(([^()\n]{1,40})\)|（([^（）\n]{1,40})）|【([^【】\n]{1,40})】)([ \t]*[:：])?(?=[ \t]*(\n?)[ \t]*(\S?))/gu
const bracketName =
  /^(?:\p{Lu}[\p{L}\p{M}\d'’.&_#-]*(?: (?:\p{Lu}[\p{L}\p{M}'’.&-]*|#?\d+)){0,2}|[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}\p{Script=Hangul}ー・]{1,8})$/u
/** The same after `>>`: certainly a label. */
const arrowLabel = new RegExp(
  String.raw`(?<![>＞])(>{2,}|＞{2,})[ \t]*${name}(?:,? ${name}){0,3}(?: \d{1,2})?${colon}`,
  'gu',
)

/** Line beginnings with a colon that are never names, such as days: `Monday: soup`. */
const notNames = new Set(readDataLines('not-names.txt', import.meta.dirname))

/**
 * Finds the labels of speakers in a file: those in capitals that have several words or recur, and
 * names at the start of a line that recur (names of one word three times, or twice if another one
 * also recurs). Labels that differ from one of these only in their number are labels, too. Text
 * that occurs once before a colon may be speech, and so may text before a lower-case letter. Labels
 * in brackets are returned with their brackets.
 */
export function findSpeakers(texts: readonly string[]): Set<string> {
  const labels = texts.filter((text) => anyColon.test(text)).flatMap(labelsIn)
  const groups = Map.groupBy(labels, (label) => label)
  const counts = Array.from(groups, ([label, { length: count }]) => ({ label, count }))
  const recurring = counts.filter(({ label, count }) => count > 1 && !isNoName(label))
  const speakers = counts.filter(({ label, count }) => isSpeaker(label, count, recurring.length > 1))
  const bases = new Set(speakers.map(({ label }) => withoutNumber(label)))
  const namedLabels = labels.filter((label) => bases.has(withoutNumber(label)))
  return new Set([...namedLabels, ...findBracketSpeakers(texts)])
}

function withoutNumber(label: string): string {
  return label.replace(/ ?\d+$/, '')
}

/** Returns the possible labels of a cue, each once. */
function labelsIn(text: string): string[] {
  const bare = [arrows, dashes].reduce(blank, blankSounds(text))
  const labels = [...bare.matchAll(loudLabel), ...bare.matchAll(nameLabel)].filter(
    ({ index, 0: whole, 1: label }) =>
      label === label!.toUpperCase() || !/^\s*\p{Ll}/u.test(bare.slice(index + whole.length)),
  )
  return [...new Set(labels.map(([, label]) => label!))]
}

function isNoName(label: string): boolean {
  return notNames.has(withoutNumber(label).toLowerCase())
}

function isSpeaker(label: string, count: number, othersRecur: boolean): boolean {
  if (isNoName(label)) return false
  const isLoud = label === label.toUpperCase() && label !== label.toLowerCase()
  const words = label.split(/ |(?=\d)/).length
  if (isLoud && (words > 1 || (count > 1 && label.length > 1))) return true
  return words > 1 ? count > 1 : count > (othersRecur ? 1 : 2)
}

/**
 * Finds names in brackets before speech. Names in square brackets count if several cues have one;
 * in other brackets, if one of them recurs, because speech may also be in brackets. A colon after
 * the name is proof.
 */
function findBracketSpeakers(texts: readonly string[]): string[] {
  const labels = texts
    .filter((text) => openBracket.test(text))
    .flatMap((text) => [...blankSounds(text).matchAll(bracketLabel)])
    .map(([whole, square, round, wide, lens, colonBehind, , next = '']) => {
      const content = (square ?? round ?? wide ?? lens)!.trim()
      const isLoudName = /^\p{Lu}{3,}$/u.test(content) && /^\P{Ll}/u.test(next)
      const isCertain = colonBehind !== undefined || isLoudName
      return { whole: whole.trim(), content, isSquare: square !== undefined, isCertain, next }
    })
    .filter(({ next }) => next !== '')
  const names = labels.filter(
    ({ content, isCertain, next }) => isCertain || (bracketName.test(content) && !/\p{Ll}/u.test(next)),
  )
  const recurs = new Set(names.map(({ whole }) => whole)).size < names.length
  const severalSquare = names.filter(({ isSquare }) => isSquare).length > 1
  return names
    .filter(({ isSquare, isCertain }) => isCertain || recurs || (isSquare && severalSquare))
    .map(({ whole }) => whole)
}

/** Drops text that is not spoken, and cues that are then empty. The lines of a cue become one. */
export function leaveOutNoise(cues: readonly RawCue[], tally: CueTally, language: string): RawCue[] {
  const speakers = findSpeakers(cues.map((cue) => cue.text))
  return cues.flatMap((cue) => {
    const { text, reasons } = blankNoise(cue.text, speakers, language)
    if (!/[\p{L}\p{N}]/u.test(text) || credit.test(foldBlanks(text))) {
      tally.drop('not speech')
      return []
    }
    for (const reason of reasons) tally.repair(`${reason}: removed`)
    return [{ ...cue, text: foldBlanks(text.replaceAll(readingBlank, '')), anchors: moveAnchors(cue, text) }]
  })
}

/** Moves the times inside a cue of which some letters were blanked. */
function moveAnchors({ text, anchors }: RawCue, blankedText: string): RawCue['anchors'] {
  if (text === blankedText) return anchors
  let [at, letters, lettersLeft] = [0, 0, 0]
  return anchors.map((anchor) => {
    for (; letters < anchor.letters && at < text.length; at++) {
      letters += countLetters(text[at]!)
      lettersLeft += countLetters(blankedText[at]!)
    }
    return { letters: lettersLeft, time: anchor.time }
  })
}

/**
 * Blanks everything in a text that is not spoken: sounds in brackets, readings, notes, marks and
 * names of speakers. The length does not change. The reasons say what was blanked.
 */
export function blankNoise(
  text: string,
  speakers: ReadonlySet<string>,
  language = 'en',
): { text: string; reasons: string[] } {
  const without = (whole: string, label: string) => (speakers.has(label) ? ' '.repeat(whole.length) : whole)
  const blankReadings = (line: string) =>
    line.replace(readings.get(language)!, (whole) => readingBlank.repeat(whole.length))
  const blankSpeakers = (line: string) => {
    const withoutBrackets = openBracket.test(line)
      ? line.replace(bracketLabel, (whole) => without(whole, whole.trim()))
      : line
    if (!anyColon.test(withoutBrackets)) return [arrows, dashes].reduce(blank, withoutBrackets)
    return [lonelyColon, arrowLabel, arrows, dashes, partLabel]
      .reduce(blank, withoutBrackets)
      .replace(loudLabel, without)
      .replace(nameLabel, without)
  }
  const rules: [string, (line: string) => string][] = [
    ['reading in brackets', readings.has(language) ? blankReadings : (line) => line],
    ['sound in brackets', blankSounds],
    ['music notes', (line) => blank(line, notes)],
    ['mark or name of a speaker', blankSpeakers],
  ]
  const reasons: string[] = []
  let speech = text
  for (const [reason, apply] of rules) {
    const next = apply(speech)
    if (next !== speech) reasons.push(reason)
    speech = next
  }
  return { text: speech, reasons }
}

function blankSounds(text: string): string {
  return text.replace(bracketPair, (whole, at: number) => {
    const content = whole.slice(1, -1).trim()
    const isWord = /^\p{L}+ing$/iu.test(content) || bareVerb.test(content)
    const belongs = isWord && insideSentence.test(text.slice(0, at))
    return isSound(content) && !belongs ? ' '.repeat(whole.length) : whole
  })
}

/** A sound is described in a few words. A sentence was spoken, or is a translation. */
const isSound = cacheByText((content) => {
  const words = content.split(/\s+/u).length
  return (
    (words <= 7 && !/[.?!]$/.test(content) && sounds.test(content)) ||
    bareVerb.test(content) ||
    /译者注|譯者註/.test(content) ||
    loud.test(content)
  )
})

function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) =>
    match.replace(/[^\n]/gu, (character) => ' '.repeat(character.length)),
  )
}
