import { readDataLines } from '#language/analysers/data-file.ts'

/**
 * What subtitles show and nobody says. Every function blanks that and keeps the length of the text,
 * so that places in it stay valid.
 */

/** Music notes. The words sung between them stay. */
const notes = /[♩♪♫♬♭♯🎵🎶]+\ufe0f?/gu

/** What captions put in brackets. */
const sounds = new RegExp(readDataLines('sounds.txt', import.meta.dirname).join('|'), 'iu')

const bracketed = /\[[^[\]]{1,80}\]|【[^】]{1,80}】|\([^()]{1,60}\)|（[^（）]{1,60}）|\*[^*\n]{1,40}\*/gu

/** Two or more words in capitals: `(DOOR SLAMS)`. */
const loud = /^\p{Lu}[\p{Lu}'’-]+(?: \p{Lu}[\p{Lu}'’-]*)+$/u

/**
 * `>>` before a new speaker: at the beginning of a line, or after the end of a sentence. The
 * one-character lookahead and lookbehind come first, so that whitespace is walked back only once
 * for each `>>`.
 */
const arrows = /(?=>>|＞＞)(?<![>＞])(?<=(?:^|\n|[.?!…,–—-]["”']?)[ \t]*)(?:>{2,}|＞{2,})/gu

/** A dash before a speaker, at the beginning of a line. Not before a digit: `-5`. */
const dashes = /(?<=^|\n)[ \t]*[-–—‐]+(?=[ \t]*[\p{L}[("“«¿¡'])/gu

const name = String.raw`\p{Lu}[\p{L}\p{M}'’.&-]*`
/** A label in capitals, up to four words: `JOHN:`, `MALE SPEAKER 2:`. */
const loudLabel =
  /(?<=^|\n|>)[ \t]*(\p{Lu}[\p{Lu}\p{M}'’.&-]+(?: \p{Lu}[\p{Lu}\p{M}'’.&-]*){0,3}(?: \d{1,2})?) ?:(?=\s|$)/gu
/** A label of one to three names: `Lars Rasmussen:`. */
const nameLabel = new RegExp(String.raw`(?<=^|\n|>)[ \t]*(${name}(?: ${name}){0,2}) ?:(?=\s|$)`, 'gu')
/** A role instead of a name: `man #3:`, `из зала:`. */
const partLabel =
  /(?<=^|\n|>)[ \t]*(?:(?:first|second|third|fourth|fifth|another|young) )?(?:man|woman|boy|girl|audience(?: member)?|speaker|narrator|interviewer|presenter|journalist|moderator|из зала|голос из зала|voix off)(?: ?#?\d+)? ?:(?=\s|$)/giu
/** The same after `>>`: certainly a label. */
const arrowLabel = new RegExp(
  String.raw`(?<![>＞])(>{2,}|＞{2,})[ \t]*${name}(?: ${name}){0,2} ?:(?=\s|$)`,
  'gu',
)

/** Beginnings of lines with a colon that are never names. */
const notNames = new Set(readDataLines('not-names.txt', import.meta.dirname))

/**
 * The labels of speakers in a file: those in capitals that have several words or recur, and names
 * at the beginning of a line that recur (names of one word three times). What occurs once before a
 * colon may be speech.
 */
export function findSpeakers(texts: readonly string[]): Set<string> {
  const labels = texts.filter((text) => text.includes(':')).flatMap(labelsIn)
  const speakers = [...Map.groupBy(labels, (label) => label)].filter(([label, all]) =>
    isSpeaker(label, all.length),
  )
  return new Set(speakers.map(([label]) => label))
}

/** The possible labels of a cue, each once. */
function labelsIn(text: string): string[] {
  const bare = [arrows, dashes].reduce(blank, blankSounds(text))
  const found = [...bare.matchAll(loudLabel), ...bare.matchAll(nameLabel)]
  return [...new Set(found.map(([, label]) => label!))]
}

function isSpeaker(label: string, count: number): boolean {
  if (notNames.has(label.toLowerCase())) return false
  const isLoud = label === label.toUpperCase()
  const words = label.split(' ').length
  if (isLoud) return words > 1 || (count > 1 && label.length > 1)
  return words > 1 ? count > 1 : count > 2
}

/**
 * Blanks everything that is not said: sounds in brackets, notes, marks and names of speakers. The
 * length stays.
 */
export function blankNoise(text: string, speakers: ReadonlySet<string>): string {
  const bare = [notes, arrowLabel, arrows, dashes, partLabel].reduce(blank, blankSounds(text))
  const without = (whole: string, label: string) => (speakers.has(label) ? ' '.repeat(whole.length) : whole)
  return bare.replace(loudLabel, without).replace(nameLabel, without)
}

function blankSounds(text: string): string {
  return text.replace(bracketed, (whole) =>
    isSound(whole.slice(1, -1).trim()) ? ' '.repeat(whole.length) : whole,
  )
}

/** A sound is named in a few words. A sentence was said, or translates what was. */
function isSound(content: string): boolean {
  const words = content.split(/\s+/u).length
  return (
    (words <= 7 && !/[.?!]$/.test(content) && sounds.test(content)) ||
    /译者注|譯者註/.test(content) ||
    loud.test(content)
  )
}

function blank(text: string, pattern: RegExp): string {
  return text.replace(pattern, (match) =>
    match.replace(/[^\n]/gu, (character) => ' '.repeat(character.length)),
  )
}
