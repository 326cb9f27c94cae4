import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { matchKey } from '#kit/match-key.ts'
import type { Entry, Lexicon } from './lexicon.ts'
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
 * word fits several runs from the same token, the longest counts.
 */
export function matchRuns(tokens: readonly Token[], lexicon: Lexicon): Run[] {
  const keys = tokens.map((token) => matchKey(token.text, lexicon.language))
  return tokens.flatMap((token, start) => {
    const best = new Map<CatalogueWord, Run>()
    const take = (entries: readonly Entry[], length: number) => {
      for (const { word, headword } of entries) {
        const known = best.get(word)
        if (!known || known.length < length || (headword && !known.headword))
          best.set(word, { word, start, length, headword })
      }
    }
    take(alone(token, keys[start]!, lexicon), 1)
    for (const { key, length } of longerRuns(tokens, keys, start, lexicon)) {
      const joined = lexicon.entries(key).filter(({ single }) => !single)
      take(joined, length)
    }
    return [...best.values()]
  })
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
