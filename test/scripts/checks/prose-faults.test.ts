import { describe, expect, test } from 'vitest'
import { proseFaults } from '../../../scripts/checks/prose-faults.ts'

describe('the check of the prose', () => {
  test('finds words that we do not write, with the text around them and what to write instead', () => {
    expect(proseFaults('A release that was mended is published anew.')).toEqual([
      expect.stringMatching(/published anew.*again/),
      expect.stringMatching(/was mended.*fix/),
    ])
  })

  test('finds the noun “look-up” in another spelling, but not in the name of the project', () => {
    expect(proseFaults('A lookup costs one unit.')).toHaveLength(1)
    expect(proseFaults('Clip Lookup counts each look-up. You look up a word.')).toEqual([])
  })

  test('finds a word that stands there twice, and a sentence of more than 45 words', () => {
    expect(proseFaults('It is is true.')).toEqual([expect.stringMatching(/repeated/)])
    expect(proseFaults('word '.repeat(46) + '.')).toEqual(
      expect.arrayContaining([expect.stringMatching(/split/)]),
    )
  })

  test('reads titles and paragraphs, and no code, addresses, imports or other front matter', () => {
    const page = [
      '---',
      'title: Anew',
      'slug: mend',
      '---',
      "import Mend from './mend.astro'",
      'See [the guide](/mend/) and `mend`.',
      '```sh',
      'mend anew',
      '```',
    ]
    expect(proseFaults(page.join('\n'))).toEqual([expect.stringMatching(/^“Anew”/)])
  })
})
