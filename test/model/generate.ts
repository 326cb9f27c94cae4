/**
 * Seeded corpora and queries for property tests. They are small and valid, and made so that several
 * rules of the contract apply at once.
 */
import fc from 'fast-check'
import { onceIn, someGloss, someLevel, weighted } from './chances.ts'
import { clipsOf, type CatalogueDraft } from './generate-clips.ts'
import type { FeedFilter } from './feed.ts'
import { clipIdOf } from './indexed.ts'
import { knownText, type Known } from './known.ts'
import { anyCase, anyMarks, respelled, upperCase } from './respelling.ts'
import { ignoringCase, nfc } from './spelling.ts'
import { GLOSSES, LEVELS, type CatalogueWord, type Gloss, type Level, type SourceCorpus } from './source.ts'
import { isWrittenWithoutSpaces } from './matching.ts'
import type { ListFilter } from './list-filter.ts'
import type { SentencesQuery } from './sentences.ts'
import type { WordClipsQuery } from './word-clips.ts'
import type { WordsQuery } from './words.ts'
import { tokensOf } from './tokens.ts'
import { VOCABULARIES } from './vocabulary.ts'

const LANGUAGES = Object.keys(VOCABULARIES)
/** A language that no generated corpus contains. */
const ABSENT_LANGUAGE = 'xx'

/**
 * Generates a corpus of 2–3 languages, 2–14 clips, and 0–25 words per language (or no catalogue).
 * Every clip is valid and none is a duplicate; ids and headwords are unique as the contract
 * requires; cues start in order, end no earlier than they start and at most 1 s past the clip.
 */
export function corpora(): fc.Arbitrary<SourceCorpus> {
  return fc
    .uniqueArray(fc.constantFrom(...LANGUAGES), { minLength: 2, maxLength: 3 })
    .chain((languages) => fc.tuple(...languages.map((language, i) => catalogues(language, i > 0))))
    .chain(numbered)
    .chain((drafts) =>
      fc.record({
        catalogues: fc.constant(objectOf(drafts.filter(hasCatalogue), (draft) => draft.words)),
        forms: fc.constant(objectOf(drafts.filter(hasForms), (draft) => draft.forms)),
        clips: clipsOf(drafts),
      }),
    )
}

const hasCatalogue = (draft: CatalogueDraft) => !draft.absent
const hasForms = (draft: CatalogueDraft) => hasCatalogue(draft) && draft.forms.length > 0

function objectOf<T>(drafts: CatalogueDraft[], value: (draft: CatalogueDraft) => T): Record<string, T> {
  return Object.fromEntries(drafts.map((draft) => [draft.language, value(draft)]))
}

/**
 * Generates the catalogue of a language (or none, if it `mayLack` one) and its forms. The ids are
 * assigned later.
 */
function catalogues(language: string, mayLack: boolean): fc.Arbitrary<CatalogueDraft> {
  const pool = VOCABULARIES[language]!.words
  const most = Math.min(25, pool.length)
  const word = catalogueWord(language)
  const some = fc.shuffledSubarray(pool, { minLength: Math.floor(most / 2), maxLength: most })
  const picks = fc.oneof(fc.constant([]), { weight: 12, arbitrary: some })
  return fc
    .tuple(picks, mayLack ? onceIn(4) : fc.constant(false))
    .chain(([chosen, absent]) => fc.tuple(fc.constant(absent), fc.tuple(...chosen.map(word))))
    .chain(([absent, words]) => {
      const unique = absent ? [] : withoutDoubles(words, language)
      return formsFile(language, unique).map((forms) => ({ language, absent, words: unique, forms }))
    })
}

/** "`word` unique in its language ignoring case" */
function withoutDoubles(words: CatalogueWord[], language: string): CatalogueWord[] {
  const spellings = words.map(({ word }) => ignoringCase(word, language))
  return words.filter((_, i) => spellings.indexOf(spellings[i]!) === i)
}

/** Generates a word of the pool with some of its forms, and occasionally a form of another word. */
function catalogueWord(language: string) {
  const spellings = VOCABULARIES[language]!.words.flat()
  return ([headword, ...forms]: [string, ...string[]]): fc.Arbitrary<CatalogueWord> =>
    fc
      .record({
        level: someLevel,
        glosses: fc.subarray([...GLOSSES]),
        inEnglish: weighted([4, true], [1, false]),
        own: fc.subarray(forms),
        borrowed: fc.oneof(
          { weight: 3, arbitrary: fc.constant<string[]>([]) },
          fc.array(fc.constantFrom(...spellings), { minLength: 1, maxLength: 2 }),
        ),
        decomposed: onceIn(20),
        rejoined: fc.boolean(),
      })
      .map(({ level, glosses, inEnglish, own, borrowed, decomposed, rejoined }) => {
        const glossed = GLOSSES.filter((gloss) => (gloss === 'en' ? inEnglish : glosses.includes(gloss)))
        return {
          wordId: 0,
          word: decomposed ? headword.normalize('NFD') : headword,
          level,
          meanings: Object.fromEntries(glossed.map((gloss) => [gloss, meaningLike(headword, gloss)])),
          forms: [...new Set([...own, ...(rejoined ? borrowed.map(otherwiseJoined) : borrowed)])],
        }
      })
}

/** Generates lines of forms/<language>.tsv: forms of any word, headwords in any case. */
function formsFile(language: string, words: CatalogueWord[]): fc.Arbitrary<[string, string][]> {
  if (words.length === 0) return fc.constant([])
  const spellings = VOCABULARIES[language]!.words.flat()
  const line = fc
    .tuple(fc.constantFrom(...spellings), fc.constantFrom(...words), onceIn(3), onceIn(3))
    .map(([spelling, { word }, loud, rejoined]): [string, string] => {
      const form = rejoined ? otherwiseJoined(spelling) : spelling
      const shouted = upperCase(word, language)
      const same = ignoringCase(shouted, language) === ignoringCase(word, language) // STRASSE is not Straße
      return [form, loud && same ? shouted : word]
    })
  return fc.oneof(fc.constant<[string, string][]>([]), fc.array(line, { maxLength: 6 }))
}

/** Replaces spaces by hyphens and hyphens by spaces. */
function otherwiseJoined(text: string): string {
  return text.replace(/[ -]/g, (joiner) => (joiner === ' ' ? '-' : ' '))
}

/** Assigns wordIds, "unique across the folder" and small, so that spoken digits are often ids. */
function numbered(drafts: CatalogueDraft[]): fc.Arbitrary<CatalogueDraft[]> {
  let count = 0
  for (const draft of drafts) count += draft.words.length
  const numbers = Array.from({ length: 110 }, (_, i) => i + 1)
  return fc.shuffledSubarray(numbers, { minLength: count, maxLength: count }).map((ids) => {
    let next = 0
    return drafts.map((draft) => ({
      ...draft,
      words: draft.words.map((word) => ({ ...word, wordId: ids[next++]! })),
    }))
  })
}

export type FeedQuery = {
  filter: FeedFilter
  language: string
  gloss: Gloss
  level?: Level
  seed: string
  limit: number
  exclude: string[]
  known?: Known
  context: boolean
}

const someLimit = weighted([3, 1], [3, 2], [2, 3], [1, 7], [1, 20], [1, 100])
const someLevels: fc.Arbitrary<Level[] | null> = fc.oneof(
  fc.constant(null),
  fc.shuffledSubarray([...LEVELS], { minLength: 1 }),
)

/** Generates the languages of a corpus, and occasionally one that it lacks. */
function someLanguage(corpus: SourceCorpus): fc.Arbitrary<string> {
  const held = new Set([...Object.keys(corpus.catalogues), ...corpus.clips.map((clip) => clip.language)])
  return fc.oneof({ weight: 19, arbitrary: fc.constantFrom(...held) }, fc.constant(ABSENT_LANGUAGE))
}

/**
 * Generates ids for `/clips/{clipId}` and `exclude`: clip ids in any case, video ids, and ids that
 * name nothing.
 */
export function askedClipIds(corpus: SourceCorpus): fc.Arbitrary<string> {
  const clipIds = corpus.clips.map(clipIdOf)
  const videoIds = corpus.clips.map((clip) => clip.videoId)
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...clipIds) },
    { weight: 2, arbitrary: fc.constantFrom(...clipIds).map((id) => id.toUpperCase()) },
    { weight: 4, arbitrary: fc.constantFrom(...videoIds) },
    fc.constantFrom(...videoIds).map((id) => id.toLowerCase()),
    fc.uuid(),
    fc.constantFrom('no-such-clip', 'aB', '0'),
  )
}

/** Generates queries of `GET /feed`; each page may have another `limit`, `level` and `exclude`. */
export function feedQueries(corpus: SourceCorpus): fc.Arbitrary<FeedQuery> {
  return fc
    .record({
      language: someLanguage(corpus),
      gloss: someGloss,
      level: fc.option(someLevel),
      seed: fc.oneof(fc.constantFrom('a', 'A', 'été', '🌱'), fc.stringMatching(/^[a-z0-9]{1,64}$/)),
      limit: someLimit,
      exclude: fc.array(askedClipIds(corpus), { maxLength: 6 }),
      context: fc.boolean(),
      filter: fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, clipFilters(corpus)),
      known: fc.option(somethingKnown(corpus)),
    })
    .map(({ level, known, ...query }) => {
      // `level` cannot be combined with `known`.
      if (known !== null) return { ...query, known }
      return level === null ? query : { ...query, level }
    })
}

function wordIdsOf({ catalogues }: SourceCorpus): number[] {
  return Object.values(catalogues).flatMap((words) => words.map(({ wordId }) => wordId))
}

/** Generates a learner's known words and filters. */
export function somethingKnown(corpus: SourceCorpus): fc.Arbitrary<Known> {
  const ids = wordIdsOf(corpus)
  const someId = fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...ids, 0) }, fc.nat())
  const someIds = fc.array(someId, { maxLength: 12 })
  const wanted = {
    minKnownShare: fc.integer({ min: 0, max: 100 }).map((share) => share / 100),
    maxUnknown: fc.nat({ max: 8 }),
  }
  return fc
    .tuple(
      fc.record({
        levels: fc.array(someLevel, { maxLength: 2 }),
        wordIds: someIds,
        exceptIds: someIds,
        packedIds: someIds,
      }),
      fc.oneof(fc.constant({}), fc.record(wanted, { requiredKeys: [] })),
    )
    .filter(([known]) => knownText({ ...known }) !== '')
    .map(([known, filter]) => ({ ...known, ...filter }))
}

/** Generates the filters of `GET /feed` other than `exclude`: any of the three, or all of them. */
function clipFilters(corpus: SourceCorpus): fc.Arbitrary<FeedFilter> {
  return fc.record(
    {
      clipLevel: fc.shuffledSubarray([...LEVELS], { minLength: 1 }),
      channel: someChannels(corpus),
      maxDurationS: fc.constantFrom(1, 5, 20, 60, 179, 180),
      hasFocusWord: fc.boolean(),
    },
    { requiredKeys: [] },
  )
}

function someChannels(corpus: SourceCorpus): fc.Arbitrary<string[]> {
  // An id with a comma, or with a blank at its end, cannot be requested.
  const channels = corpus.clips.map(({ channel }) => nfc(channel.id)).filter((id) => /^[^\s,]+$/u.test(id))
  return fc.shuffledSubarray([...new Set([...channels, 'no-such-channel'])], { minLength: 1 })
}

/** Generates the filters of lists of clips besides the learner's known words; often none. */
function listFilters(corpus: SourceCorpus): fc.Arbitrary<ListFilter> {
  const filters = fc.record(
    {
      channel: someChannels(corpus),
      maxDurationS: fc.constantFrom(1, 20, 60, 179),
      exclude: fc.array(askedClipIds(corpus), { minLength: 1, maxLength: 6 }),
    },
    { requiredKeys: [] },
  )
  return fc.oneof(fc.constant({}), filters)
}

/** Generates ids for `GET /words?ids=`: of words in any language, some twice, and of nothing. */
export function askedWordIds(corpus: SourceCorpus): fc.Arbitrary<number[]> {
  const ids = wordIdsOf(corpus)
  const someId = fc.oneof(fc.constantFrom(...ids, 0), fc.nat(), fc.constantFrom(2 ** 31, 2 ** 53))
  return fc.array(someId, { minLength: 1, maxLength: 40 })
}

/**
 * Generates queries of `GET /words`: `q` is cut out of a headword, in any case, with marks removed
 * or added.
 */
export function wordsQueries(corpus: SourceCorpus): fc.Arbitrary<WordsQuery> {
  return someLanguage(corpus).chain((language) =>
    fc
      .record({
        q: fc.oneof(fc.constant(null), { weight: 4, arbitrary: searches(corpus, language) }),
        language: fc.constant(language),
        gloss: someGloss,
        levels: someLevels,
        hasClips: fc.boolean(),
      })
      .map(({ q, ...query }) => (q === null ? query : { q, ...query })),
  )
}

/** Generates queries of `GET /words?in=meanings`: `q` is cut out of typical meanings. */
export function meaningQueries(corpus: SourceCorpus): fc.Arbitrary<WordsQuery & { q: string }> {
  return someLanguage(corpus).chain((language) => {
    const headwords = (corpus.catalogues[language] ?? []).map(({ word }) => word)
    const cut = fc
      .tuple(
        fc.constantFrom('', 'to ', 'The ', 'in'),
        fc.constantFrom('run', ...headwords),
        fc.nat({ max: 9 }),
      )
      .map(([article, word, length]) => article + [...word].slice(0, 1 + length).join(''))
    return fc.record({
      q: fc.oneof(cut, fc.constantFrom('in es', 'the', 'big', 'in j', '; ', 'corrected', '直')),
      in: fc.constant('meanings' as const),
      language: fc.constant(language),
      gloss: someGloss,
      levels: someLevels,
      hasClips: fc.boolean(),
    })
  })
}

/**
 * Returns a meaning that depends on the length of the headword: with several senses, an article or
 * a note.
 */
function meaningLike(headword: string, gloss: Gloss): string {
  const kinds = [
    `${headword} in ${gloss}`,
    `to ${headword} (big); the ${headword}`,
    `[x] Big ${headword}、in/${gloss}`,
  ]
  return kinds[headword.length % kinds.length]!
}

function searches(corpus: SourceCorpus, language: string): fc.Arbitrary<string> {
  const headwords = (corpus.catalogues[language] ?? []).map(({ word }) => word)
  const nonsense = fc.constantFrom(' ', ...`e zzz É ı İ И σ ß ss 人 ' - \u0301 4`.split(' '))
  if (headwords.length === 0) return nonsense
  const cut = fc
    .tuple(fc.constantFrom(...headwords), fc.nat({ max: 3 }), fc.integer({ min: 1, max: 6 }), onceIn(3))
    .map(([word, from, length, whole]) => {
      const letters = [...nfc(word)]
      const start = letters.length === 1 ? 0 : from % (letters.length - 1)
      return whole ? word : letters.slice(start, start + length).join('')
    })
    .filter((text) => text.trim() !== '')
  const disguised = cut
    .chain((text) => anyCase(text, language))
    .chain((text) => anyMarks(text))
    .chain((text) => weighted([8, text], [1, ` ${text}`], [1, `${text}\u00a0`]))
  return fc.oneof({ weight: 6, arbitrary: disguised }, nonsense)
}

/**
 * Generates queries of `GET /sentences`: mostly text of a clip, from any token on, in any case and
 * with some words in another form; otherwise words of the catalogue, or nonsense.
 */
export function sentencesQueries(corpus: SourceCorpus): fc.Arbitrary<SentencesQuery> {
  return someLanguage(corpus).chain((language) =>
    fc
      .record({
        q: phrases(corpus, language).map((text) => [...nfc(text).trim()].slice(0, 100).join('').trim()),
        language: fc.constant(language),
        match: fc.constantFrom('forms' as const, 'forms' as const, 'exact' as const),
        levels: someLevels,
        known: fc.option(somethingKnown(corpus), { freq: 2 }),
        filter: listFilters(corpus),
        context: fc.boolean(),
      })
      .map(({ known, ...query }) => (known === null ? query : { ...query, known })),
  )
}

function phrases(corpus: SourceCorpus, language: string): fc.Arbitrary<string> {
  const separator = isWrittenWithoutSpaces(language) ? '' : ' '
  const spoken = corpus.clips
    .filter((clip) => clip.language === language)
    .map((clip) => clip.cues.flatMap((cue) => tokensOf(cue, language).map(({ text }) => text)))
    .filter((tokens) => tokens.length > 0)
  const words = (corpus.catalogues[language] ?? []).map(({ word, forms }) => [word, ...forms])
  const nonsense = { weight: 1, arbitrary: fc.constantFrom<string[]>('zzz', '?!', '…', 'a b', '人', '1') }
  const choices = [nonsense]
  if (words.length > 0) choices.push({ weight: 3, arbitrary: fc.constantFrom(...words.flat()) })
  if (spoken.length > 0) choices.push({ weight: 8, arbitrary: cutOut(spoken, words, separator) })
  return fc.oneof(...choices).filter((text) => text.trim() !== '')
}

/** Generates one to four consecutive tokens; with `words`, some may have another spelling. */
function cutOut(spoken: string[][], words: string[][], separator: string): fc.Arbitrary<string> {
  return fc
    .record({
      tokens: fc.constantFrom(...spoken),
      from: fc.nat(),
      length: fc.integer({ min: 1, max: 4 }),
      respell: fc.array(fc.nat(), { minLength: 4, maxLength: 4 }),
      isRespelled: onceIn(2),
    })
    .map(({ tokens, from, length, respell, isRespelled }) => {
      const start = from % tokens.length
      const others = (token: string, i: number) => {
        const word = words.find((spellings) => spellings.includes(token.toLowerCase()))
        return isRespelled && word ? word[respell[i]! % word.length]! : token
      }
      return tokens
        .slice(start, start + length)
        .map(others)
        .join(separator)
    })
}

/** Generates queries of `GET /words/{word}/clips`: by headword, by form, by id, by nonsense. */
export function wordClipsQueries(corpus: SourceCorpus): fc.Arbitrary<WordClipsQuery & { word: string }> {
  return someLanguage(corpus).chain((language) =>
    fc
      .record({
        word: askedWords(corpus, language),
        language: fc.constant(language),
        gloss: someGloss,
        levels: someLevels,
        known: fc.option(somethingKnown(corpus)),
        filter: listFilters(corpus),
        context: fc.boolean(),
      })
      .map(({ known, ...query }) => (known === null ? query : { ...query, known })),
  )
}

function askedWords(corpus: SourceCorpus, language: string): fc.Arbitrary<string> {
  const words = corpus.catalogues[language] ?? []
  const forms = [
    ...words.flatMap((word) => word.forms),
    ...(corpus.forms[language] ?? []).map(([form]) => form),
  ]
  const ids = wordIdsOf(corpus).map(String)
  const nonsense = fc.constantFrom('look  after', ...'zzz 0 007 24 999 & ?! a/b 100% 🌱'.split(' '))
  const choices = [{ weight: 2, arbitrary: nonsense }]
  if (ids.length > 0) choices.push({ weight: 3, arbitrary: fc.constantFrom(...ids) })
  if (words.length > 0) {
    const spelling = fc.constantFrom(...words.map(({ word }) => word))
    choices.push({ weight: 6, arbitrary: spelling.chain((word) => anyCase(word, language)) })
    choices.push({ weight: 3, arbitrary: spelling.chain((word) => respelled(word, language)) })
  }
  if (forms.length > 0) {
    const spelling = fc.constantFrom(...forms)
    choices.push({ weight: 6, arbitrary: spelling.chain((form) => anyCase(form, language)) })
    choices.push({ weight: 2, arbitrary: spelling.chain((form) => respelled(form, language)) })
  }
  return fc.oneof(...choices)
}
