import type { FeedClip, FocusWord, Occurrence, Transcript, Word } from '../operations.ts'
import { highlight } from './highlight.ts'
import { watchUrlAt } from './moments.ts'
import { separatorOf } from './separator-of.ts'

/** A word in a sentence from a clip, for a program that repeats cards. */
export interface Flashcard {
  word: string
  level: string
  meaning: string
  /** The sentence, with the position of the word in it, in code points. */
  sentence: string
  start: number
  end: number
  /** The form of the word that is spoken in the sentence. */
  form: string
  /** The reading of the form, if the transcript contains it. */
  reading: string | null
  translation: string | null
  /** The address of the clip at its source, starting at the sentence. */
  link: string
  title: string
  channel: string
}

/** The parts of a flashcard. */
export interface FlashcardParts {
  word: Pick<Word, 'word' | 'level' | 'meaning'>
  clip: FeedClip
  /**
   * An occurrence of the word in the clip, or the clip's focus word in the feed. If it was
   * requested with `context=true`, the card has the whole sentence and its translation. A focus
   * word always needs this context.
   */
  occurrence: Occurrence | FocusWord
  /** Needed for the reading. */
  transcript?: Transcript | undefined
}

/**
 * Returns a flashcard for a word in one of its occurrences.
 *
 * @throws {TypeError} the occurrence is a focus word that was requested without `context=true`
 */
export function flashcard({ word, clip, occurrence, transcript }: FlashcardParts): Flashcard {
  if (!hasLine(occurrence))
    throw new TypeError('a focus word has a sentence only if the feed is requested with context=true')
  const { sentence = occurrence } = occurrence
  return {
    word: word.word,
    level: word.level,
    meaning: word.meaning,
    sentence: sentence.text,
    start: sentence.start,
    end: sentence.end,
    form: highlight(occurrence.text, occurrence.start, occurrence.end).match,
    reading: transcript ? readingIn(transcript, occurrence) : null,
    translation: occurrence.sentence?.translation ?? null,
    link: watchUrlAt(clip, sentence.tStart),
    title: clip.title,
    channel: clip.channel.name,
  }
}

function hasLine(occurrence: Occurrence | FocusWord): occurrence is Occurrence {
  return occurrence.text !== undefined
}

/** Returns the readings of the tokens in an occurrence. */
function readingIn({ cues, language }: Transcript, { tStart, tEnd }: Occurrence): string | null {
  const tokens = cues.flatMap((cue) => cue.words)
  const spokenTokens = tokens.filter((token) => token.tStart >= tStart && token.tEnd <= tEnd)
  if (!spokenTokens.some(({ reading }) => reading)) return null
  return spokenTokens.map(({ reading, text }) => reading ?? text).join(separatorOf(language))
}

/** Writes flashcards as a CSV file with a header (RFC 4180), for spreadsheets. */
export function toCsv(cards: readonly Flashcard[]): string {
  const names: (keyof Flashcard)[] = [
    ...(['word', 'level', 'meaning', 'form', 'reading', 'sentence'] as const),
    ...(['translation', 'link', 'title', 'channel'] as const),
  ]
  const rows = cards.map((card) => names.map((name) => csvCell(card[name])).join(','))
  return [names.join(','), ...rows].map((row) => `${row}\r\n`).join('')
}

function csvCell(value: string | number | null): string {
  // Spreadsheets compute cells that look like a formula.
  const text = String(value ?? '').replace(/^(?=[=+\-@\t\r])/, "'")
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Writes flashcards as a text file that Anki imports, with the word in bold
 * (https://docs.ankiweb.net/importing/text-files.html).
 */
export function toAnki(cards: readonly Flashcard[]): string {
  const rows = cards.map((card) => {
    const { before, match, after } = highlight(card.sentence, card.start, card.end)
    // Anki skips lines that begin with #.
    const sentence = `${html(before)}<b>${html(match)}</b>${html(after)}`.replace(/^#/, '&#35;')
    const source = `<a href="${html(card.link)}">${html(`${card.title} · ${card.channel}`)}</a>`
    const cells = [card.word, card.reading, card.meaning, card.translation].map((text) => html(text ?? ''))
    return `${[sentence, ...cells, source].join('\t')}\n`
  })
  const columns = ['Sentence', 'Word', 'Reading', 'Meaning', 'Translation', 'Source'].join('\t')
  return `#separator:tab\n#html:true\n#columns:${columns}\n${rows.join('')}`
}

function html(text: string): string {
  const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
  return text.replace(/[&<>"]/g, (character) => entities[character]!).replace(/\s+/g, ' ')
}
