import { cacheByText } from '#language/cache-by-text.ts'
import { kana } from '#language/analysers/kana-readings.ts'
import { searchFold } from '#language/folds.ts'
import { otherScript } from '#language/spellings/chinese.ts'
import { isUnspaced } from '#language/unspaced.ts'
import { foldBlanks } from '../formats/clean-text.ts'
import { isInOtherScript, isInOwnScript } from '../formats/other-language.ts'

/** The words and other spellings in a cell of a word list, or the reason why it is unclear. */
export type Headword = { words: string[]; forms: string[] } | { fault: string }

/** The words that can follow an English verb or adjective. */
const particle =
  /^(?:about|against|around|at|away|back|by|down|for|from|in|into|of|off|on|out|over|through|to|up|with)$/i

/** The articles that lists put before nouns. */
const articles: Readonly<Record<string, string>> = {
  de: 'der|die|das',
  en: 'the',
  es: 'el|la|los|las',
  fr: "le|la|les|l'",
  it: "il|lo|la|i|gli|le|l'",
  nl: 'de|het',
  pt: 'o|a|os|as',
  sv: 'en|ett|att',
}

/** Other articles, which can also start phrases: un peu. */
const indefiniteArticles: Readonly<Record<string, string>> = {
  de: 'eine?',
  en: 'an?',
  es: 'una?|unos|unas',
  fr: 'une?|des',
  it: "un[oa]?|un'|dei|degli|delle",
  nl: 'een',
  pt: 'uma?|uns|umas',
}
const phraseEnd = '(?:few|little|bit|lot|while|couple|paar|bisschen|wenig|poco|peu|fois|pouco|beetje|aantal)'

/** The articles of plurals, after which the text is certainly a form: un œil, des yeux. */
const pluralArticles: Readonly<Record<string, RegExp>> = {
  es: /^(?:los|las|unos|unas) /i,
  fr: /^(?:les|des) /i,
  it: /^(?:i|gli|le|dei|degli|delle) /i,
  pt: /^(?:os|as|uns|umas) /i,
}
const pluralLabel = /^(?:pl|plur|plural|mv|meervoud)[.:]*\s+/i

const partOfSpeech =
  'n|v|vb|vi|vt|adj|adv|prep|conj|pron|det|interj|intj|num|art|aux|modal|phr|noun|verb|adjective|adverb|' +
  'preposition|conjunction|pronoun|determiner|interjection|article|auxiliary|phrasal verb|exclamation'
/** Parts of speech, genders and other remarks of dictionaries, as abbreviations. */
const abbreviation =
  `(?:modal |phrasal |loc\\. ?)?(?:${partOfSpeech})|s|tr|intr|[tim]|f|nt|pl|sg|masc|fem|mf|m/f|` +
  'irreg|invar|rz|präp|м|ж|ср|мн|св|нсв|сов|несов'
/** These, and texts that are remarks only in brackets, because they may be words elsewhere. */
const inBrackets = `${abbreviation}|sing|plural|singular|irr|inv|nur|ugs|bre|ame`
const abbreviations = new RegExp(
  `(?:[\\s,]+(?:${abbreviation})\\.)(?:[\\s,/&]*(?:${abbreviation})\\.)*\\s*$`,
  'i',
)
const namedInBrackets = new RegExp(`^(?:(?:${inBrackets})\\.?[\\s,/&]*)+$`)
/** Abbreviations that are not words and so need no full stop: run v. */
const bareAbbreviation = /(?<=\p{L})\s+(?:v|vb|vi|vt|adj|adv|prep|conj|pron|interj|intj|[ns][mf])$/u
/** A placeholder for an object: look sth up. Full words are placeholders only in brackets. */
const placeholder =
  "(?:sth|smth|sb|smb|sb's|jdn|jdm|jmdn|jmdm|jmd|etw|qqn|qqch|qqc|qn|qc|qch|algn|algc)(?![\\p{L}'])\\.?"
const placeholders = new RegExp(`(?<!\\p{L})${placeholder}(?:\\s*/\\s*${placeholder})*`, 'gu')
const placeholderWords =
  /^(?:sich|zich|somebody|someone|something|somewhere|one's|jemanden|jemandem|etwas|alguien|algo|alguém|quelqu'un|quelque chose|qualcuno|qualcosa)$/

/** The ending of a form, with the signs for an umlaut: -e, ¨-er, "-. It must not form a word. */
const ending = String.raw`[-–~¨⸚"“”]*[-–~¨⸚](?!innen\b|in\b)["¨\u0308]?\p{L}{0,5}`
/** An ending with a quote for an umlaut, and no dash: "er, or after a comma only the quote. */
const umlaut = String.raw`["“”](?:er?|en)|(?<=[,;]\s*)["“”]`
const endingsPattern = (form: string) =>
  new RegExp(String.raw`(?<=\p{L})(?:[\s,;/(]+(?:${form}))+\)?\s*$`, 'u')
const endings = endingsPattern(ending)
const germanEndings = endingsPattern(`${ending}|${umlaut}`)

const phonetic = /[ɪʊəɛɔʌɑæɒɜθðŋʃʒˈˌː]/u
const han = /\p{Script=Han}/u
/** Parts of speech in Chinese, as the lists of HSK abbreviate them, and Korean: 本（量）, 것(명사). */
const asianPartOfSpeech =
  /^(?:(?:名|[动動]|形|副|量|代|介|[连連]|助|[数數]|[叹嘆])[词詞]?[、，/]?|(?:의존 ?|보조 ?)?(?:대?명|동|형용|부|수|관형|감탄|조|접)사)+$/u
/** Readings as Anki writes them in Japanese, behind the kanji: 飲[の]み 物[もの]. */
const furigana = / ?(?<![^\s[\]])([^\s[\]]+)\[([\p{Script=Hiragana}\p{Script=Katakana}ー]+)\]/gu
/** Signs that no word contains, such as one before a remark of an unknown kind. */
const strangeSign = /[,，、;；{}<>=|_\\～〜~]|:(?=\s)|(?<=\s)[-–—+](?=\s)/u

/**
 * Reads the headword of a row in the ways in which people write it: "(to) run", "der Hund, -e",
 * "colour/color", "backward(s)", "look (sth) up", "an|rufen", "run v.", "会う・逢う",
 * "食べる [たべる]", "点（钟）", "行1", "{{c1::run}}". Spellings of one word become its forms, and
 * different words become separate words.
 */
export function parseHeadword(cell: string, language: string): Headword {
  const plainCell = language === 'ja' ? cell.replace(furigana, '$1') : cell
  const headword = readHeadword(plainCell, language)
  if ('fault' in headword) return headword
  const isOneReading = plainCell !== cell && headword.words.length === 1
  const forms = isOneReading ? [...headword.forms, parseForm(cell, language)] : headword.forms
  const [sign] = strangeSign.exec([...headword.words, ...forms].join('\n')) ?? []
  return sign === undefined
    ? { words: headword.words, forms }
    : { fault: `has "${sign}", which cannot be part of a word` }
}

function readHeadword(cell: string, language: string): Headword {
  const cloze = new Set(Array.from(cell.matchAll(/\{\{c\d+::(.*?)(?:::.*?)?\}\}/g), ([, word]) => word!))
  if (cloze.size > 1) return { fault: 'has several cloze deletions' }
  const text = stripMarks([...cloze][0] ?? cell, language)
  const withoutBrackets = readBrackets(text, language)
  if ('fault' in withoutBrackets) return withoutBrackets
  const [plain, ...optional] = withoutBrackets.words.map((each) => stripArticle(each, language))
  const alternatives = readAlternatives(plain!, language)
  if ('fault' in alternatives) return alternatives
  const forms = [...alternatives.forms, ...optional, ...withoutBrackets.forms]
  if (alternatives.words.length > 1 && forms.length > 0)
    return { fault: 'has several words, and its other spellings may belong to any of them' }
  return { words: alternatives.words, forms }
}

/**
 * Returns a form in a list without its article; empty if it is only an ending.
 *
 *     parseForm('die Gärten', 'de') // 'Gärten'
 */
export function parseForm(text: string, language: string): string {
  if (/^["“”]*[-–~¨⸚]|^["“”](?:er?|en)?$/.test(text)) return ''
  const form = language === 'ja' ? text.replace(furigana, '$2') : text
  return stripArticle(stripMarks(form.replace(pluralLabel, ''), language), language)
}

/**
 * Returns the form after a word: empty if it is only an ending or an article, null if it may be
 * another word. `head` is the word with its article.
 */
function parseFormBehind(text: string, head: string, language: string): string | null {
  const form = parseForm(text, language)
  if (form === '' || articlePatterns(language).only.test(text)) return ''
  if (pluralLabel.test(text) || pluralArticles[language]?.test(text)) return form
  const word = stripArticle(head, language)
  return word !== '' && (word !== head || form !== text) && isAlike(word, form, language) ? form : null
}

/** Whether one word may be a form of the other: both start with the same letters. */
function isAlike(word: string, form: string, language: string): boolean {
  const [key, formKey] = [searchFold(word, language), searchFold(form, language)]
  const sharedLetters = Math.max(2, Math.ceil(Math.min(key.length, formKey.length) / 2))
  return formKey.startsWith(key.slice(0, sharedLetters)) && formKey.length - key.length < 5
}

const articlePatterns = cacheByText((language) => {
  const definite = articles[language] ?? 'the'
  const article = indefiniteArticles[language] ? `${definite}|${indefiniteArticles[language]}` : definite
  // With more words, it may belong to a phrase: a partir de.
  const isAlone = `(?=\\S{2,}$)(?!${phraseEnd}$)`
  const leading =
    language === 'en'
      ? `(?:to|the) (?!and\\b|or\\b)(?=.)|an? ${isAlone}`
      : `(?:(?:${article})(?:\\s*[/,]\\s*(?:${article}))* |(?:l|un)['’])${isAlone}`
  return {
    definite: new RegExp(`^(?:to|${definite})$`),
    only: new RegExp(`^(?:${article})$`, 'i'),
    /** Matches an article before a word. */
    leading: new RegExp(`^(?:${leading})`, 'i'),
    /** Matches a dash before an article. */
    dash: new RegExp(`\\s+[-–—]\\s+(?=(?:${article})\\s)`, 'i'),
  }
})

/** Removes what is not part of a word: numbers, footnotes, pronunciation, part of speech. */
function stripMarks(text: string, language: string): string {
  const word = text
    .replace(language === 'de' ? germanEndings : endings, '')
    .replace(/\[sound:[^\]]*\]|<img\b[^>]*>/gi, '')
    .replace(/^\s*(?:\d+[.)]|[-–—•▪])\s+(?=\p{L})/u, '')
    .replace(/\/[^/]*\/|\[[^\]]*\]/g, (piece) => (phonetic.test(piece) ? '' : piece))
    .replace(abbreviations, '')
    .replace(bareAbbreviation, '')
    .replace(/^[\s*†‡~～〜…¹²³⁴-⁹]+|[\s*†‡~～〜…¹²³⁴-⁹⓪①-⑳]+$/gu, '')
    .replace(/^["“„«](.*)["”“»]$/u, '$1')
    // Marks of stress, which only textbooks and dictionaries write.
    .replace(/(?<=\p{Script=Cyrillic})[\u0300\u0301]/gu, '')
  if (isUnspaced(language) || language === 'ko')
    return word.replace(/(?<=\p{Script=Han})\d$|(?<=\p{Script=Hangul})\d{1,2}$/u, '')
  const bareWord = word.replace(/^un\(e\) /, '').replace(/(?<=\p{Ll}{3})\d$/u, '')
  // The middle dot divides syllables, except in Catalan, where it is a letter.
  if (language === 'ca') return bareWord
  const withoutGender = language === 'de' ? bareWord.replace(/(?<=^\p{Lu}\p{L}+) [mfn]$/u, '') : bareWord
  return withoutGender.replace(/(?<=\p{L})[|·](?=\p{L})/gu, '')
}

function stripArticle(text: string, language: string): string {
  const word = foldBlanks(text)
  return articles[language] === undefined ? word : word.replace(articlePatterns(language).leading, '')
}

const bracket = /[([{<（［【〔]([^()[\]{}<>（）［］【】〔〕]*)[)\]}>）］】〕]/u

/** Returns the spellings without and with the optional part, and the forms that brackets name. */
function readBrackets(text: string, language: string): Headword {
  const match = bracket.exec(text)
  if (!match) {
    const rest = /[()[\]（）［］【】]/u.test(text) ? { fault: 'has an unmatched bracket' } : null
    const withoutPlaceholders = foldBlanks(text.replace(placeholders, ''))
    return rest ?? { words: [withoutPlaceholders || foldBlanks(text)], forms: [] }
  }
  const content = match[1]!.trim()
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
  const without = readBrackets(before + after, language)
  if ('fault' in without || isRemark(content, before, after, language)) return without
  const head = without.words[0]!
  const isReading =
    language === 'ja' && kana.test(content) && after.trim() === '' && isReadingOf(content, head)
  if (isReading || isVariant(content, head, language))
    return { words: without.words, forms: [...without.forms, content] }
  const hasArticle = stripArticle(content, language) !== content
  const plural =
    after.trim() === '' ? parseFormBehind(content, hasArticle ? before.trim() : '', language) : null
  if (plural !== null && plural !== '') return { words: without.words, forms: [...without.forms, plural] }
  // A feminine ending replaces another one: heureux(-euse), gato(a).
  const isEnding = romanceEndings[language] && /[aeo]$/.test(before) && /^[ae]s?$/.test(content)
  if (isEnding || (content.startsWith('-') && language !== 'de')) return without
  const isInside = /[\p{L}\p{M}]$/u.test(before) || /^[\p{L}\p{M}]/u.test(after)
  const isOptional = language === 'en' && particle.test(content)
  if (!isInside && !isOptional)
    return { fault: `has "${match[0]}", which may be part of the word or a remark` }
  const whole = readBrackets(before + content.replace(/^-/, '') + after, language)
  return 'fault' in whole
    ? whole
    : { words: [...new Set([...without.words, ...whole.words])], forms: without.forms }
}

/** Whether the text in brackets is not spoken: a number, a part of speech, an article, pinyin. */
function isRemark(content: string, before: string, after: string, language: string): boolean {
  const text = content.toLowerCase()
  const isNamed = namedInBrackets.test(text)
  const isArticle = articlePatterns(language).definite.test(text)
  const isForeign = isInOtherScript([content], language) && isInOwnScript([before + after], language)
  const isPartOfSpeech = before !== '' && asianPartOfSpeech.test(text)
  const withoutObjects = foldBlanks(text.replace(placeholders, ''))
  // Prepositions belong to it, except in English: acheter (qqch. à qqn).
  const isObject =
    placeholderWords.test(text) ||
    /[～〜]/.test(text) ||
    withoutObjects === '' ||
    (language !== 'en' && withoutObjects !== text && /^\p{L}{1,5}$/u.test(withoutObjects))
  return (
    /^\d*$/.test(text) ||
    (isNamed && /\s$|^$/.test(before)) ||
    isArticle ||
    isForeign ||
    isPartOfSpeech ||
    isObject
  )
}

/** Whether kana can be the reading of a word in kanji: both end in the same kana. */
function isReadingOf(reading: string, word: string): boolean {
  const ending = /[\p{Script=Hiragana}ー]*$/u.exec(word)![0]
  return reading !== 'する' && han.test(word) && reading.endsWith(ending) && reading.length >= word.length
}

/** Returns alternative words in one cell: "he/she/it". */
function readAlternatives(text: string, language: string): Headword {
  // Principal parts of a verb, or anything else that a list separates in this way.
  if (/\s\|\s/.test(text)) return { fault: 'has several words' }
  const [head, ...others] = text.replace(articlePatterns(language).dash, ', ').split(/\s*[,，]\s*/)
  const isUnspacedHead = isUnspaced(language)
  const formsBehind = isUnspacedHead ? [] : others.map((other) => parseFormBehind(other, head!, language))
  if (formsBehind.includes(null)) return { fault: 'has several words' }
  const forms = formsBehind.flatMap((form) => form || [])
  const [firstPart = '', ...otherParts] = splitAlternatives(isUnspacedHead ? text : head!, language)
  // A part with an article that resembles the first part is a form: das Kind / die Kinder.
  const isForm = (part: string) =>
    stripArticle(part, language) !== part && parseFormBehind(part, firstPart, language) !== null
  const { forms: formParts = [], words: wordParts = [] } = Object.groupBy(otherParts, (part) =>
    isForm(part) ? 'forms' : 'words',
  )
  forms.push(...formParts.map((part) => stripArticle(part, language)))
  const parts = [firstPart, ...wordParts].map((part) => stripArticle(part, language))
  const first = parts[0] ?? ''
  if (parts.length < 2) return { words: [first], forms }
  const variants = parts.slice(1).filter((part) => isVariant(part, first, language))
  const words = parts.filter((part) => !variants.includes(part))
  const wordCounts = new Set(words.map((word) => word.split(' ').length))
  if (wordCounts.size > 1)
    return {
      fault: 'has alternatives, and it is unclear whether they replace the whole word or a part of it',
    }
  return { words, forms: [...variants, ...forms] }
}

/** An ending after a word, from which no form is derived: alto/a, amigo/-a. */
const romanceEndings: Readonly<Record<string, RegExp>> = {
  es: /^(\p{L}{3,})\/-?(?:as?|os|es|esa|[dn]?ora|ona|ra|na)$/u,
  fr: /^(\p{L}{3,})\/-?(?:es?|ne|se|ve|te|euse|trice|[eè]re)$/u,
  it: /^(\p{L}{3,})\/-?(?:[aei]|trice|essa)$/u,
  pt: /^(\p{L}{3,})\/-?(?:as?|os|[dt]?ora|esa|ra|ona)$/u,
}

function splitAlternatives(text: string, language: string): string[] {
  // 24/7, km/h and w/o are single words.
  if (/(?:^|\/)\s*(?:\d+|[b-hj-np-tv-z])\s*(?:\/|$)/.test(text)) return [text]
  const [, masculine] = romanceEndings[language]?.exec(text) ?? []
  if (masculine !== undefined) return [masculine]
  const feminine = language === 'de' ? /^(\p{L}+)\s*[/:*_]\s*-?(in|innen)$/u.exec(text) : null
  if (feminine) return [feminine[1]!, feminine[1]! + feminine[2]!]
  // Between katakana, the middle dot stands for a space.
  const separators = isUnspaced(language)
    ? /\s*[/／;；、，,|｜]\s*|(?<!\p{Script=Katakana}|ー)・|・(?!\p{Script=Katakana})/u
    : /\s*[/／;]\s*/u
  return text.split(separators).filter((part) => part !== '')
}

/** The differences between British and American spelling. */
const spellings: readonly [RegExp, string][] = [
  [/our/g, 'or'],
  [/re$/g, 'er'],
  [/([iy])s(e|ing|ed|ation|er)/g, '$1z$2'],
  [/ogue$/g, 'og'],
  [/ll/g, 'l'],
  [/[ao]e/g, 'e'],
  [/(ce|se)$/g, 'se'],
  [/grey/g, 'gray'],
  [/mme$/g, 'm'],
  [/([td])yre/g, '$1ire'],
  [/[^\p{L}\p{N}]/gu, ''],
]

/**
 * Whether two texts differ only in case, accents, punctuation, British or American spelling, or
 * simplified and traditional characters.
 */
function isVariant(text: string, other: string, language: string): boolean {
  if (language === 'zh' && otherScript(other).includes(text)) return true
  const [key, otherKey] = [text, other].map((each) => {
    const foldedSpelling = searchFold(each, language)
    return (language === 'en' ? spellings : spellings.slice(-1)).reduce(
      (result, [pattern, replacement]) => result.replace(pattern, replacement),
      foldedSpelling,
    )
  })
  return key === otherKey
}
