import { mkdtempSync, rmSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pinyin } from 'pinyin-pro'
import { isKana, toKatakana, toRomaji } from 'wanakana'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CatalogueWord } from '#corpus/catalogue-word.ts'
import { readCatalogue } from '#corpus/read-catalogue.ts'
import { seededRandom } from '#kit/seeded-random.ts'
import { findWords } from '#proxy/search/find-words.ts'
import { openRelease, type Release } from '#release/release.ts'
import { folderTree } from '#release/tree.ts'
import { buildTree } from '../../build/small-corpus.ts'

const data = process.env.CLIP_LOOKUP_TEST_DATA

/** All that a learner may type for a word, made without the code under test. */
function keysOf({ language, word, forms }: CatalogueWord): string[] {
  const written = [word, ...forms]
  if (language === 'ja') {
    const kana = written.filter((text) => isKana(text))
    return [...written, ...kana.map((text) => toKatakana(text)), ...kana.map((text) => toRomaji(text))]
  }
  const [toned, plain] = (['symbol', 'none'] as const).map((toneType) =>
    pinyin(word, { toneType, type: 'array' }),
  )
  return [...written, ...[toned!, plain!].flatMap((syllables) => [syllables.join(''), syllables.join(' ')])]
}

describe.skipIf(!data)(
  `real catalogues${data ? '' : ' (skipped: CLIP_LOOKUP_TEST_DATA names no test data)'}`,
  () => {
    let release: Release
    const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-'))
    const corpus = join(data ?? '', 'source-corpus')

    beforeAll(async () => {
      await mkdir(`${folder}/source/catalogue`, { recursive: true })
      for (const language of ['ja', 'zh'])
        await copyFile(
          `${corpus}/catalogue/${language}.jsonl`,
          `${folder}/source/catalogue/${language}.jsonl`,
        )
      const { release: id } = await buildTree(`${folder}/source`, `${folder}/dist`)
      release = await openRelease(folderTree(`${folder}/dist`), id)
    })
    afterAll(() => rmSync(folder, { recursive: true }))

    function idsFound(q: string, language: string): Set<number> {
      const { words, totalCount } = findWords(release, q, language, {
        levelMask: 0b111111,
        hasClips: false,
        offset: 0,
        limit: release.words.count,
      })
      expect(words).toHaveLength(totalCount)
      return new Set(words.map(({ row }) => release.words.wordId(row)))
    }

    test.each([
      ['ja', 3],
      ['zh', 4],
    ])('1,000 headwords of %s are each found by each of their keys', async (language, fewestKeys) => {
      const words = (await readCatalogue(corpus)).catalogue.get(language)!
      const random = seededRandom(19)
      const missed: string[] = []
      let keyCount = 0
      for (let i = 0; i < 1000; i++) {
        const word = words[Math.floor(random() * words.length)]!
        const keys = new Set(keysOf(word))
        keyCount += keys.size
        for (const key of keys)
          if (!idsFound(key, language).has(word.wordId)) missed.push(`${word.word} by ${key}`)
      }
      expect(missed).toEqual([])
      expect(keyCount).toBeGreaterThan(1000 * fewestKeys)
    })
  },
)
