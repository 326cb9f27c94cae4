import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage } from '#contract/parameters.ts'
import { byCodePoint } from '#kit/code-points.ts'
import { writtenBody } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'
import { writeWordRecord } from '../word-record.ts'
import { resolveWord, unknownWord } from './resolve-word.ts'

/** GET /words/{word} (contract 1.6). */
export const word: Handler<ParameterValues<'getWord'>> = {
  answer({ word: asked, language = defaultLanguage, gloss = defaultGloss }, { release }) {
    const row = resolveWord(asked, language, release)
    if (row < 0) return unknownWord(asked, language, release)
    return writtenBody((out) => {
      const { forms } = release.words.row(row)
      writeWordRecord(out, release.words, row, gloss)
      // Without the brace that ends the record in lists.
      out.length--
      out.text(`,"language":"${language}","forms":${JSON.stringify(forms.toSorted(byCodePoint))}}`)
    })
  },
}
