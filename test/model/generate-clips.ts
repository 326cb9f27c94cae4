/** Generates clips that contain a catalogue's words, with their cues and word timings. */
import fc from 'fast-check'
import { mostly, onceIn, someLevel, weighted } from './chances.ts'
import { clipIdOf } from './indexed.ts'
import { isWrittenWithoutSpaces } from './matching.ts'
import { anyCase, respelled, upperCase } from './respelling.ts'
import type { CatalogueWord, SourceClip, SourceCue, SourceWord } from './source.ts'
import { VOCABULARIES } from './vocabulary.ts'

/** The words that can be spoken in a language. */
export type CatalogueDraft = {
  language: string
  absent: boolean
  words: CatalogueWord[]
  forms: [form: string, headword: string][]
}

/** Generates 2–14 clips in the languages of the drafts, without "a second clip of one video". */
export function clipsOf(drafts: CatalogueDraft[]): fc.Arbitrary<SourceClip[]> {
  const clip = fc.oneof(...drafts.map((draft, i) => ({ weight: i === 0 ? 4 : 1, arbitrary: clipIn(draft) })))
  return fc.array(clip, { minLength: 2, maxLength: 14, size: 'max' }).map((clips) => {
    const kept: SourceClip[] = []
    for (const [i, drawn] of clips.entries()) {
      const taken = kept.some(
        (other) => other.videoId === drawn.videoId || clipIdOf(other) === clipIdOf(drawn),
      )
      if (!taken) kept.push(drawn)
      else kept.push(withoutClipId({ ...drawn, videoId: `${drawn.videoId.slice(0, 50)}-${i}` }))
    }
    return kept
  })
}

function withoutClipId(clip: SourceClip): SourceClip {
  const { clipId: _, ...rest } = clip
  return rest
}

const someChannel = fc.constantFrom(
  { id: 'kitchen-table', name: 'Kitchen Table' },
  { id: 'Kitchen-Table', name: 'Küchentisch' },
  { id: 'UC_garden', name: 'Der Gärten' },
)

/** Short ids that differ only in case, ids of any allowed characters, and ids like a clip's. */
const someVideoId = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[aAbB_-]{1,4}$/) },
  { weight: 4, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{11}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^[A-Za-z0-9_-]{64}$/) },
  { weight: 1, arbitrary: fc.uuid().map((id) => id.toUpperCase()) },
)

const someClipId = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.uuid().map((id) => id.toUpperCase()) },
)

function clipIn(draft: CatalogueDraft): fc.Arbitrary<SourceClip> {
  return fc
    .record({
      videoId: someVideoId,
      title: titles(draft),
      level: someLevel,
      spareS: weighted([3, 0], [1, 1], [1, 40], [1, 180]),
      channel: someChannel,
      cues: cuesIn(draft),
      clipId: someClipId,
    })
    .map(({ videoId, title, level, spareS, channel, cues, clipId }) => {
      // "a cue that ends more than 1 s past `durationS`" is refused: the shortest clips end up to a
      // whole second before their cues
      const endS = Math.max(0, ...cues.map((cue) => cue.tEnd))
      const durationS = Math.min(180, Math.max(1, Math.ceil(endS - 1)) + spareS)
      const clip = { videoId, title, language: draft.language, level, durationS, channel, cues }
      return clipId === null ? clip : { ...clip, clipId }
    })
}

/** A part of a sentence: a spoken text and what follows it. */
type Stretch = { said: string; glue: string }

/**
 * Generates up to 6 cues; all with source words, none, or some. Starts increase, often by nothing;
 * ends are random, so cues overlap. Times are mostly whole milliseconds.
 */
function cuesIn(draft: CatalogueDraft): fc.Arbitrary<SourceCue[]> {
  const wordsIn = fc.constantFrom<'none' | 'all' | 'some'>('none', 'all', 'some')
  const count = weighted([1, 0], [6, 1], [6, 2], [6, 3], [6, 4], [6, 6])
  return fc.tuple(wordsIn, count).chain(([timed, length]) =>
    fc.array(timedCue(draft, timed), { minLength: length, maxLength: length }).map((cues) => {
      let startMs = 0
      return cues.map(({ gapMs, lengthMs, text, translations, words }) => {
        startMs += gapMs
        const cue: SourceCue = { tStart: startMs / 1000, tEnd: (startMs + lengthMs) / 1000, text }
        if (translations !== null) cue.translations = translations
        if (words !== null) cue.words = words.map((word) => spokenWithin(word, startMs, lengthMs))
        return cue
      })
    }),
  )
}

/** A word whose times are still shares of its cue, in thousandths. */
type WordDraft = { text: string; from: number; to: number; lemma: string | null }
type CueDraft = {
  gapMs: number
  lengthMs: number
  text: string
  translations: Record<string, string> | null
  words: WordDraft[] | null
}

function someTranslations(language: string): fc.Arbitrary<Record<string, string>> {
  const others = ['es', 'ja', 'th'].filter((other) => other !== language)
  const texts = fc.constantFrom('¡Buenos días!', '{"text":"}]', '😀 cafe\u0301')
  return fc.dictionary(fc.constantFrom(...others), texts)
}

function spokenWithin(word: WordDraft, startMs: number, lengthMs: number): SourceWord {
  const at = (share: number) => (startMs + Math.floor((lengthMs * share) / 1000)) / 1000
  const spoken: SourceWord = { text: word.text, tStart: at(word.from), tEnd: at(word.to) }
  if (word.lemma !== null) spoken.lemma = word.lemma
  return spoken
}

const someGapMs = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0) },
  { weight: 6, arbitrary: fc.integer({ min: 1, max: 4000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 40 }).map((eighths) => eighths / 8) },
)
const someLengthMs = fc.oneof(
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 20, arbitrary: fc.integer({ min: 200, max: 6000 }) },
)

function timedCue(draft: CatalogueDraft, timed: 'none' | 'all' | 'some'): fc.Arbitrary<CueDraft> {
  return fc.tuple(stretches(draft), fc.boolean(), onceIn(12)).chain(([said, coin, emptied]) => {
    const text = textOf(said)
    const isTimed = timed === 'all' || (timed === 'some' && coin)
    // "a missing or empty `words` array counts as none"
    const untimed = emptied ? fc.constant<WordDraft[]>([]) : fc.constant(null)
    return fc.record({
      gapMs: someGapMs,
      lengthMs: someLengthMs,
      text: fc.constant(text),
      translations: fc.option(someTranslations(draft.language), { freq: 2 }),
      words: isTimed ? sourceWords(said, text, draft) : untimed,
    })
  })
}

/** Returns the parts of a cue as they appear on screen; never empty, and trimmed. */
function textOf(said: Stretch[]): string {
  const text = said.map(
    (stretch, i) => stretch.said + (i === said.length - 1 ? stretch.glue.trim() : stretch.glue),
  )
  return text.join('').trim()
}

/** Generates something short, on one line. */
function titles(draft: CatalogueDraft): fc.Arbitrary<string> {
  return fc
    .array(stretch(draft), { minLength: 1, maxLength: 4 })
    .map((said) => textOf(said).replaceAll('\n', ' '))
}

function stretches(draft: CatalogueDraft): fc.Arbitrary<Stretch[]> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.array(stretch(draft), { minLength: 1, maxLength: 7, size: 'max' }) },
    { weight: 1, arbitrary: fc.constantFrom('♪', '…', '— —', '?!').map((said) => [{ said, glue: '' }]) },
  )
}

/** Generates mostly words of the catalogue and their forms, and some that nobody catalogued. */
function stretch(draft: CatalogueDraft): fc.Arbitrary<Stretch> {
  const { language } = draft
  const { words, fillers } = VOCABULARIES[language]!
  const catalogued = draft.words.flatMap(({ word, forms }) => [word, word, ...forms])
  const listed = [...catalogued, ...draft.forms.map(([form]) => form)]
  const spelling = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...(listed.length === 0 ? words.flat() : listed)) },
    { weight: 1, arbitrary: fc.constantFrom(...words.flat()) },
    { weight: 2, arbitrary: fc.constantFrom(...fillers) },
  )
  return fc.record({ said: spelling.chain((said) => respelled(said, language)), glue: glues(language) })
}

/**
 * Generates the text between two parts: mostly text that lets a phrase continue, or else text that
 * ends a sentence or is only a pause.
 */
function glues(language: string): fc.Arbitrary<string> {
  if (isWrittenWithoutSpaces(language)) return mostly(12, '', ...'、，。！？｡ …\n')
  const others = [', ', '. ', '! ', '? ', '… ', '... ', ' — ', '-', '‐', '; ', '  ', '\n', '.', '. "', ' & ']
  return mostly(14, ' ', ...others)
}

/**
 * Generates timings for the words of a cue: cut at blanks, or in ja and zh anywhere; with or
 * without the punctuation around them; occasionally a word that the text lacks, one that is two, or
 * one that is only punctuation. In order, inside the cue.
 */
function sourceWords(said: Stretch[], text: string, draft: CatalogueDraft): fc.Arbitrary<WordDraft[]> {
  const parts = isWrittenWithoutSpaces(draft.language) ? cutAnywhere(said) : fc.constant(text.split(/\s+/u))
  return parts.chain((texts) =>
    fc
      .tuple(
        fc.tuple(...texts.map((part) => sourceWord(part, draft))),
        fc.array(fc.integer({ min: 0, max: 1000 }), {
          minLength: 2 * texts.length,
          maxLength: 2 * texts.length,
        }),
      )
      .map(([words, cuts]) => {
        const sorted = cuts.toSorted((a, b) => a - b)
        return words.map((word, i) => ({ ...word, from: sorted[2 * i]!, to: sorted[2 * i + 1]! }))
      }),
  )
}

function cutAnywhere(said: Stretch[]): fc.Arbitrary<string[]> {
  const cut = said.map((stretch) => {
    const letters = [...(stretch.said + stretch.glue).trim()]
    return fc
      .nat({ max: 2 * letters.length })
      .map((at) => [letters.slice(0, at).join(''), letters.slice(at).join('')])
  })
  return fc.tuple(...cut).map((pieces) => {
    const words = pieces.flat().filter((piece) => piece !== '')
    return words.length === 0 ? ['—'] : words
  })
}

function sourceWord(part: string, draft: CatalogueDraft): fc.Arbitrary<Omit<WordDraft, 'from' | 'to'>> {
  const bare = part.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}]+$/gu, '') || part
  const text = weighted(
    [10, part],
    [5, bare],
    [1, ` ${part} `],
    [1, `${bare}.`],
    [1, upperCase(bare, draft.language)],
    [2, upperCase(part, draft.language)],
    [1, part.replace(/[’'](?=\p{L})/gu, (mark) => (mark === "'" ? '’' : "'"))],
    [1, `${bare} ${bare}`],
    [1, '—'],
  )
  return fc.record({ text, lemma: lemmas(draft) })
}

/** Generates a lemma: mostly none, or else a headword in any case, a form, or nonsense. */
function lemmas(draft: CatalogueDraft): fc.Arbitrary<string | null> {
  const headwords = draft.words.map(({ word }) => word)
  const forms = draft.words.flatMap((word) => word.forms)
  const none = { weight: 12, arbitrary: fc.constant(null) }
  const nonsense = { weight: 1, arbitrary: fc.constantFrom<string | null>('zzz', '?') }
  if (headwords.length === 0) return fc.oneof(none, nonsense)
  const named = fc.constantFrom(...headwords).chain((word) => anyCase(word, draft.language))
  const misnamed = fc.constantFrom(...headwords, ...forms)
  return fc.oneof(none, nonsense, { weight: 4, arbitrary: named }, { weight: 1, arbitrary: misnamed })
}
