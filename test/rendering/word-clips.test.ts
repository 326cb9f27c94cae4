import { expect, test } from 'vitest'
import { indexClip } from '#indexing/index-clip.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokenise } from '#indexing/tokenise.ts'
import { renderClip, toFeedClip, youtubeUrls } from '#rendering/clip.ts'
import { hardness, levelRankOf, renderWordClip, type ListedClip } from '#rendering/word-clips.ts'
import { clip } from '../nightly/small-corpus.ts'

function item(language: string, headword: string, forms: string[], texts: (string | string[])[]): ListedClip {
  const word = { wordId: 1, language, word: headword, level: 'A1' as const, meanings: {}, forms }
  const cues = texts.map((text, i) => {
    const words =
      typeof text === 'string' ? undefined : text.map((said) => ({ text: said, tStart: i, tEnd: i + 1 }))
    const cue = { tStart: i, tEnd: i + 1, text: words ? (text as string[]).join('') : (text as string) }
    return { ...cue, tokens: tokenise({ ...cue, ...(words ? { words } : {}) }, language) }
  })
  const index = indexClip(cues, new Lexicon(language, [word]))
  const record = toFeedClip(renderClip(clip('v', '', { language }), youtubeUrls, 1, ''))
  return renderWordClip(record, cues, index, index.hits.get(word)!, 'A1')
}

test('the first 3 occurrences are shown, in time order, all are counted', () => {
  const shown = item(
    'en',
    'look after',
    ['looked after'],
    ['Look after it.', 'x', 'She looked, after', 'look-after', 'look after'],
  )
  expect(Object.keys(shown)).toEqual(['clip', 'knownShare', 'occurrenceCount', 'occurrences'])
  expect(shown.occurrenceCount).toBe(4)
  expect(shown.occurrences).toEqual([
    { tStart: 0, tEnd: 0.818, form: 'Look after', text: 'Look after it.' },
    { tStart: 2.214, tEnd: 3, form: 'looked after', text: 'She looked, after' },
    { tStart: 3, tEnd: 4, form: 'look-after', text: 'look-after' },
  ])
})

test('the form joins tokens with nothing in Japanese and Chinese', () => {
  expect(item('ja', '食べ物', [], [['食べ', '物']]).occurrences[0]!.form).toBe('食べ物')
})

test('an item names its clip first, at the same place in every item', () => {
  expect(JSON.stringify(item('en', 'see', [], ['I see.']))).toMatch(/^{"clip":"[0-9a-f-]{36}","knownShare":/)
})

test('items come easiest first: level, knownShare, occurrenceCount', () => {
  const right = [
    hardness(0, { knownShare: 0.1, occurrenceCount: 1 }),
    hardness(1, { knownShare: 0.9, occurrenceCount: 1 }),
    hardness(1, { knownShare: 0.5, occurrenceCount: 3 }),
    hardness(1, { knownShare: 0.5, occurrenceCount: 2 }),
    hardness(5, { knownShare: 0, occurrenceCount: 1 }),
  ]
  expect(right.toReversed().sort((a, b) => a - b)).toEqual(right)
  expect(right.map(levelRankOf)).toEqual([0, 1, 1, 1, 5])
})
