import type { ParameterValues } from '#contract/operations.ts'
import { defaultGloss, defaultLanguage } from '#contract/parameters.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { byCodePoint } from '#kit/code-points.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import type { Context, LookUp } from '../http/handler.ts'
import { writeWordRecord } from '../word-record.ts'
import { resolveWord, unknownWord } from './resolve-word.ts'

/** The answer at hand: joined in the same memory each time. */
const out = new ByteWriter()

/** GET /words/{word} (contract 1.6). */
export function prepareWord(answers: AnswerCache) {
  return (values: ParameterValues<'getWord'>, { release }: Context): LookUp => {
    const { word, language = defaultLanguage, gloss = defaultGloss } = values
    return () => {
      const row = resolveWord(word, language, release)
      if (row < 0) return unknownWord(word, language, release)
      const key = `${row} ${gloss}`
      const kept = answers.get(release, key)
      if (kept) return kept
      const { forms } = release.words.row(row)
      out.clear()
      writeWordRecord(out, release.words, row, gloss)
      // Without the brace that ends the record as lists show it.
      out.length--
      out.text(`,"language":"${language}","forms":${JSON.stringify(forms.toSorted(byCodePoint))}}`)
      return answers.create(release, key, out)
    }
  }
}
