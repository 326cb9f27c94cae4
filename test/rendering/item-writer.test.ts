import { expect, test } from 'vitest'
import { indexClip } from '#indexing/index-clip.ts'
import { sharesByLevel } from '#indexing/known-share.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokenise } from '#indexing/tokenise.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { CuesJson } from '#rendering/cues-json.ts'
import { ItemWriter } from '#rendering/item-writer.ts'
import type { ListedClip } from '#rendering/word-clips.ts'

const clipId = 'fa678091-b771-53c5-bb5c-b97259498be6'

/** The text of the item of a word of level A1 in a clip. */
function textOf(language: string, headword: string, forms: string[], texts: (string | string[])[]): string {
  const word = { wordId: 1, language, word: headword, level: 'A1' as const, meanings: {}, forms }
  const cues = texts.map((text, i) => {
    const words =
      typeof text === 'string' ? undefined : text.map((said) => ({ text: said, tStart: i, tEnd: i + 1 }))
    const cue = { tStart: i, tEnd: i + 1, text: words ? (text as string[]).join('') : (text as string) }
    return { ...cue, tokens: tokenise({ ...cue, ...(words ? { words } : {}) }, language) }
  })
  const index = indexClip(cues, new Lexicon(language, [word]))
  const cuesJson = new CuesJson()
  cuesJson.write(cues, index.wordIds)
  const out = new ByteWriter()
  const shares = sharesByLevel(index.tokensByLevel)
  new ItemWriter({ clipId, language }, shares, cues, cuesJson).write(out, 'A1', index.hits.get(word)!)
  return out.view().toString()
}

function item(...said: Parameters<typeof textOf>): ListedClip {
  return JSON.parse(textOf(...said)) as ListedClip
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
  expect(textOf('en', 'see', [], ['I see.'])).toMatch(/^{"clip":"[0-9a-f-]{36}","knownShare":/)
})

test('an item is as JSON.stringify writes it, whatever is said', () => {
  const text = textOf('en', 'see', [], ['I "see"\\ 猫.', 'See?'])
  const counted = { knownShare: 1, occurrenceCount: 2 }
  const occurrences = [
    { tStart: 0.2, tEnd: 0.8, form: 'see', text: 'I "see"\\ 猫.' },
    { tStart: 1, tEnd: 2, form: 'See', text: 'See?' },
  ]
  expect(text).toBe(JSON.stringify({ clip: clipId, ...counted, occurrences }))
})
