import { codePointLength } from '#kit/code-points.ts'
import type { Lexicon } from './lexicon.ts'

const han = /\p{Script=Han}/u

/**
 * The catalogue spellings inside a token of Japanese or Chinese, where Intl.Segmenter cuts less finely than the catalogue does: read from
 * its start, the longest each time; a sign that none begins with is passed over.
 *
 * `机器学习` holds `机器` and `学习`. A spelling counts when it has a Han character, for kana stand in words by chance, and two signs, for one sign
 * of a compound is often another word; in Chinese one sign will do where spellings make up the whole token (`祝你`: `祝`, `你`).
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
  const fewest = whole && lexicon.language === 'zh' ? 1 : 2
  return found.filter((spelling) => han.test(spelling) && codePointLength(spelling) >= fewest)
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
