import { describe, expect, test } from 'vitest'
import { proseFaults } from '../../scripts/check-prose.ts'

describe('the check of the prose', () => {
  test('finds words that we avoid, with their line and what to write instead', async () => {
    const expected = [expect.stringMatching(/^3: mended.*fix/), expect.stringMatching(/^3: anew.*again/)]
    expect(await proseFaults('# Builds\n\nA release that was mended is published anew.')).toEqual(expected)
  })

  test('finds other spellings of the noun “look-up”, but not in the name of the project', async () => {
    expect(await proseFaults('A lookup costs one unit.')).toHaveLength(1)
    expect(await proseFaults('Clip Lookup counts each look-up. You look up a word.')).toEqual([])
  })

  test('finds a repeated word, and a sentence that is too long', async () => {
    expect(await proseFaults('It is is true.')).toEqual([expect.stringMatching(/repeated/)])
    const sentence = Array.from({ length: 80 }, (_, i) => `w${i}`).join(' ')
    expect(await proseFaults(`${sentence}.`)).toEqual([expect.stringMatching(/sentence length/)])
  })

  test('reads titles and paragraphs, but no code, addresses, imports or other front matter', async () => {
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
    expect(await proseFaults(page.join('\n'))).toEqual([expect.stringMatching(/^2: Anew/)])
  })
})
