import { codePointLength } from '#kit/code-points.ts'
import type { Lexicon } from './lexicon.ts'

const han = /\p{Script=Han}/u

/**
 * Signs of Chinese that are words of their own wherever they stand: numbers, pronouns, particles, adverbs, measures. Other signs make up
 * words that they do not mean: `数学` is no `数`.
 */
const standing = new Set(
  '一二三四五六七八九十百千万两几这那哪你我他她它您的地得了着是不没有在也都就很太更最会能要可只还再又吗呢吧个種种次位块些里中和与给把被对从這個會',
)

/**
 * The catalogue spellings inside a token of Japanese or Chinese, where Intl.Segmenter cuts less finely than the catalogue does: read from
 * its start, the longest each time; a sign that none begins with is passed over.
 *
 * `机器学习` holds `机器` and `学习`. A spelling counts when it has a Han character, for kana stand in words by chance, and two signs, for one sign
 * of a compound is often another word; in Chinese one sign that stands alone will do where spellings make up the whole token (`祝你`: `你`).
 */
export function insideToken(key: string, lexicon: Lexicon): string[] {
  const found: string[] = []
  let whole = true
  for (let at = 0; at < key.length;) {
    const spelling = longestAt(key, at, lexicon)
    if (spelling === '') whole = false
    else found.push(spelling)
    at += spelling.length || 1
  }
  const mayStand = whole && lexicon.language === 'zh'
  return found.filter(
    (spelling) =>
      han.test(spelling) && (codePointLength(spelling) > 1 || (mayStand && standing.has(spelling))),
  )
}

function longestAt(key: string, at: number, lexicon: Lexicon): string {
  let longest = ''
  for (let end = at + 1; end <= key.length; end++) {
    const spelling = key.slice(at, end)
    if (lexicon.entries(spelling).length > 0) longest = spelling
    if (!lexicon.grows(spelling)) break
  }
  return longest
}
