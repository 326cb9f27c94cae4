import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage } from '#contract/parameters.ts'
import { byCodePoint } from '#kit/code-points.ts'
import type { AnswerCache } from '../http/answer-cache.ts'
import type { Context, LookUp } from '../http/handler.ts'
import { wordRecord } from '../word-record.ts'
import { resolveWord, unknownWord } from './resolve-word.ts'

/** GET /words/{word} (contract 1.6). */
export function prepareWord(answers: AnswerCache) {
  return (values: ParameterValues<'getWord'>, { release }: Context): LookUp => {
    const { word, language = defaultLanguage, gloss = defaultGloss } = values
    return () => {
      const row = resolveWord(word, language, release)
      if (row < 0) return unknownWord(word, language, release)
      return answers.answer(release, `${row} ${gloss}`, (out) => {
        const forms = release.words.forms(row).sort(byCodePoint)
        const more = `"language":"${language}","forms":${JSON.stringify(forms)}`
        out.text(`${wordRecord(release.words, row, gloss).slice(0, -1)},${more}}`)
      })
    }
  }
}
