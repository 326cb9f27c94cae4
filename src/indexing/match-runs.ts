import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { matchKey } from '#kit/match-key.ts'
import { takeApart } from './contractions.ts'
import type { Entry, Lexicon } from './lexicon.ts'
import { insideToken } from './inside-token.ts'
import type { Token } from './tokenise.ts'

/** A run of neighbouring tokens of a cue that is a catalogue word. */
export interface Run {
  word: CatalogueWord
  /** The first token. */
  start: number
  /** How many tokens. */
  length: number
  /** Matched as the headword, not as an inflected form. */
  headword: boolean
}

/**
 * Every run of tokens in a cue that a catalogue word is said in (contract 2, "Indexing").
 *
 * A token alone goes by its lemma where it has one, else by its text; runs of several go by their texts, and span no sentence end. Where one
 * word fits several runs from the same token, the longest counts. A token that none of these runs covers counts under the words that
 * are inside it: in ja and zh see `insideToken`, in English `takeApart`.
 */
export function matchRuns(tokens: readonly Token[], lexicon: Lexicon): Run[] {
  const keys = tokens.map((token) => matchKey(token.text, lexicon.language))
  const runs = tokens.flatMap((token, start) => {
    const best = new Best(start)
    best.take(alone(token, keys[start]!, lexicon), 1)
    for (const { key, length } of longerRuns(tokens, keys, start, lexicon))
      best.take(lexicon.entries(key), length)
    return best.runs()
  })
  return [...runs, ...runsInside(tokens, keys, runs, lexicon)]
}

/** Of the runs from one token, the best of each word. */
class Best {
  readonly #byWord = new Map<CatalogueWord, Run>()
  readonly #start: number

  constructor(start: number) {
    this.#start = start
  }

  take(entries: readonly Entry[], length: number): void {
    for (const { word, headword } of entries) {
      const known = this.#byWord.get(word)
      if (!known || known.length < length || (headword && !known.headword))
        this.#byWord.set(word, { word, start: this.#start, length, headword })
    }
  }

  runs(): Run[] {
    return [...this.#byWord.values()]
  }
}

function runsInside(
  tokens: readonly Token[],
  keys: readonly string[],
  runs: readonly Run[],
  lexicon: Lexicon,
): Run[] {
  if (!lexicon.joins && lexicon.language !== 'en') return []
  const covered = new Set<number>()
  for (const { start, length } of runs) for (let i = start; i < start + length; i++) covered.add(i)
  return tokens.flatMap((token, start) => {
    if (covered.has(start) || token.lemma !== undefined) return []
    const best = new Best(start)
    best.take(entriesInside(keys[start]!, lexicon), 1)
    return best.runs()
  })
}

/** An ending of a contraction is a word, not a spelling: `'m` is no `a.m.`, whose form `am` is. */
function entriesInside(key: string, lexicon: Lexicon): Entry[] {
  if (lexicon.joins) return insideToken(key, lexicon).flatMap((spelling) => lexicon.entries(spelling))
  const contraction = takeApart(key, lexicon.language)
  if (contraction === null) return []
  const said = contraction.said.flatMap((word) => lexicon.entries(word))
  return [...lexicon.entries(contraction.host), ...said.filter((entry) => entry.headword)]
}

function alone(token: Token, key: string, lexicon: Lexicon): readonly Entry[] {
  if (token.lemma === undefined) return lexicon.entries(key)
  return lexicon.entries(matchKey(token.lemma, lexicon.language)).filter((entry) => entry.headword)
}

/** The keys of the runs of two and more tokens from `start`, as long as a longer one can still match. */
function* longerRuns(
  tokens: readonly Token[],
  keys: readonly string[],
  start: number,
  lexicon: Lexicon,
): Generator<{ key: string; length: number }> {
  const separators = lexicon.joins ? [' ', ''] : [' ']
  let grown = separators.map(() => keys[start]!)
  for (let end = start + 1; end < tokens.length && !tokens[end]!.startsSentence; end++) {
    if (!grown.some((key) => lexicon.grows(key))) return
    grown = grown.map((key, i) => key + separators[i]! + keys[end]!)
    for (const key of grown) yield { key, length: end - start + 1 }
  }
}
