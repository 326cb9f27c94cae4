import { expect, test } from 'vitest'
import { indexClip } from '#indexing/index-clip.ts'
import { sharesByLevel } from '#indexing/known-share.ts'
import { Lexicon } from '#indexing/lexicon.ts'
import { tokenise } from '#indexing/tokenise.ts'
import { ByteReader } from '#kit/byte-reader.ts'
import { ByteWriter } from '#kit/byte-writer.ts'
import { tieOf } from '#build/item-order.ts'
import { CuesJson } from '#rendering/cues-json.ts'
import { skipWordClip, unpackWordClip, WordClipPacker } from '#rendering/packed-word-clip.ts'
import { sortKeyOf, type ListedClip } from '#rendering/word-clips.ts'

const clipId = 'fa678091-b771-53c5-bb5c-b97259498be6'

/** The item of a word of level A1 in a clip of level B2, packed and taken up again. */
function unpacked(language: string, headword: string, forms: string[], texts: (string | string[])[]) {
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
  const packed = new ByteWriter()
  const packer = new WordClipPacker(
    { clipId, language, level: 'B2' },
    sharesByLevel(index.tokensByLevel),
    cues,
    cuesJson,
  )
  packer.pack(packed, 'A1', index.hits.get(word)!)
  const json = new ByteWriter()
  const reader = new ByteReader(packed.view())
  const place = skipWordClip(reader)
  expect(reader.at).toBe(packed.length)
  unpackWordClip(packed.view(), 0, json)
  return { text: json.view().toString(), place }
}

function item(...said: Parameters<typeof unpacked>): ListedClip {
  return JSON.parse(unpacked(...said).text) as ListedClip
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
  expect(unpacked('en', 'see', [], ['I see.']).text).toMatch(/^{"clip":"[0-9a-f-]{36}","knownShare":/)
})

test('an item is as JSON.stringify writes it, whatever is said, and its place is told', () => {
  const { text, place } = unpacked('en', 'see', [], ['I "see"\\ 猫.', 'See?'])
  const counted = { knownShare: 1, occurrenceCount: 2 }
  const occurrences = [
    { tStart: 0.2, tEnd: 0.8, form: 'see', text: 'I "see"\\ 猫.' },
    { tStart: 1, tEnd: 2, form: 'See', text: 'See?' },
  ]
  expect(text).toBe(JSON.stringify({ clip: clipId, ...counted, occurrences }))
  expect(place).toEqual({ sortKey: sortKeyOf(3, counted), tie: tieOf(clipId) })
})
