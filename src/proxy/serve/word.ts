import type { ParameterValues } from '#contract/parameter-values.ts'
import { defaultGloss, defaultLanguage } from '#contract/parameters.ts'
import { byCodePoint } from '#kit/code-points.ts'
import { textBody } from '../http/body.ts'
import type { Handler } from '../http/handler.ts'
import { wordRecord } from '../word-record.ts'
import { resolveWord, unknownWord } from './resolve-word.ts'

/** GET /words/{word} (contract 1.6). */
export const word: Handler<ParameterValues<'getWord'>> = {
  answer({ word: asked, language = defaultLanguage, gloss = defaultGloss }, { release }) {
    const row = resolveWord(asked, language, release)
    if (row < 0) return unknownWord(asked, language, release)
    const forms = release.words.forms(row).sort(byCodePoint)
    const more = `"language":"${language}","forms":${JSON.stringify(forms)}`
    return textBody(`${wordRecord(release.words, row, gloss).slice(0, -1)},${more}}`)
  },
}
