import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askedClipIds, corpora, feedQueries, wordClipsQueries, wordsQueries } from './generate.ts'
import { modelOf } from './model.ts'
import { LEVELS } from './source.ts'

/**
 * `proxy/agrees-with-model.test.ts` shows that the model and the service agree on random corpora,
 * and `proxy/http/records.test.ts` has known answers. These tests measure how often the generated
 * data uses each rule.
 */

describe('generated corpora', () => {
  const samples = fc.sample(corpora(), { seed: 20, numRuns: 150 })
  const models = samples.map((source) => ({ source, model: modelOf(source) }))
  const clips = samples.flatMap((source) => source.clips)
  const transcripts = models.flatMap(({ source, model }) =>
    source.clips.map((each) => model.transcript(each.videoId)!),
  )

  test('cover combinations of the rules often', () => {
    const tokensSaid = transcripts.flatMap(({ cues }) => cues.flatMap(({ words }) => words))
    const items = models.flatMap(({ source, model }) =>
      source.clips.map(({ videoId }) => model.feedItem(model.clip(videoId)!.clipId, { gloss: 'tr' })),
    )
    const listed = models.flatMap(({ source, model }) =>
      Object.keys(source.catalogues).flatMap((language) =>
        model.words({ language, gloss: 'ja', levels: null, hasClips: false }),
      ),
    )
    const share = <T>(values: T[], has: (value: T) => boolean) => values.filter(has).length / values.length
    const isBetween = (value: number, least: number, most: number) => {
      expect(value).toBeGreaterThan(least)
      expect(value).toBeLessThan(most)
    }
    isBetween(share(tokensSaid, ({ wordIds = [] }) => wordIds.length > 0), 0.4, 0.9) // prettier-ignore
    isBetween(share(tokensSaid, ({ wordIds = [] }) => wordIds.length > 1), 0.15, 0.6) // prettier-ignore
    isBetween(share(items, ({ focusWord }) => focusWord !== null), 0.4, 0.95) // prettier-ignore
    isBetween(share(listed, ({ clipCount }) => clipCount >= 3), 0.1, 0.7) // prettier-ignore
    isBetween(share(listed, ({ clipCount }) => clipCount === 0), 0.05, 0.6) // prettier-ignore
    isBetween(share(listed, ({ meaning }) => meaning === ''), 0.02, 0.3) // prettier-ignore
    isBetween(share(transcripts, ({ wordTiming }) => wordTiming === 'measured'), 0.2, 0.7) // prettier-ignore
    isBetween(share(samples, ({ clips: held, catalogues }) => held.some(({ language }) => catalogues[language] === undefined)), 0.05, 0.6) // prettier-ignore
    expect(new Set(clips.map(({ language }) => language)).size).toBe(7)
    expect(new Set(clips.map(({ level }) => level)).size).toBe(LEVELS.length)
  })

  test('give most queries results, and some of them none', () => {
    const outcomes = { clips: [0, 0], words: [0, 0], wordClips: [0, 0], feed: [0, 0] } as Record<
      string,
      [number, number]
    >
    const note = (endpoint: string, found: boolean) => outcomes[endpoint]![found ? 1 : 0]++
    for (const { source, model } of models.slice(0, 50)) {
      const draw = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { seed: 7, numRuns: 10 })
      for (const id of draw(askedClipIds(source))) note('clips', model.clip(id) !== null)
      for (const query of draw(wordsQueries(source))) note('words', model.words(query).length > 0)
      for (const query of draw(feedQueries(source))) note('feed', model.clipIds(query.language).length > 0)
      for (const query of draw(wordClipsQueries(source)))
        note('wordClips', (model.wordClips(query.word, query)?.items.length ?? 0) > 0)
    }
    for (const [nothing, something] of Object.values(outcomes)) {
      expect(nothing).toBeGreaterThan(6)
      expect(something).toBeGreaterThan(100)
    }
  })
})
