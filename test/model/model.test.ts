import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askedClipIds, corpora, feedQueries, wordClipsQueries, wordsQueries } from './generate.ts'
import { modelOf } from './model.ts'
import { LEVELS } from './source.ts'
import type { CatalogueWord, Level, SourceClip, SourceCorpus, SourceCue, SourceWord } from './source.ts'

/**
 * Random corpora show that the model and the service agree, and `proxy/http/records.test.ts` has
 * known answers of both. Here is what only the model has: the focus word of a clip by itself, and
 * how often what is generated meets a rule.
 */

type Line = [wordId: number, word: string, level?: Level, forms?: string[]]

function catalogue(...lines: Line[]): CatalogueWord[] {
  return lines.map(([wordId, word, level = 'A1', forms = []]) => ({
    wordId,
    word,
    level,
    meanings: { en: `the meaning of ${word}` },
    forms,
  }))
}

function cue(text: string, tStart = 0, tEnd = 10, words?: SourceWord[]): SourceCue {
  return words === undefined ? { tStart, tEnd, text } : { tStart, tEnd, text, words }
}

function clip(videoId: string, cues: SourceCue[], more: Partial<SourceClip> = {}): SourceClip {
  return {
    videoId,
    title: `Title of ${videoId}`,
    language: 'en',
    level: 'A1',
    durationS: 60,
    channel: { id: 'c', name: 'Channel' },
    cues,
    ...more,
  }
}

function corpusOf(words: CatalogueWord[], clips: SourceClip[], language = 'en'): SourceCorpus {
  const inLanguage = clips.map((each) => ({ ...each, language }))
  return { catalogues: { [language]: words }, forms: {}, clips: inLanguage }
}

describe('feed', () => {
  /** One clip "v" and others that say more of its words. */
  function focus(
    words: CatalogueWord[],
    said: string,
    elsewhere: string[],
    more: Partial<SourceClip>,
    level?: Level,
  ) {
    const others = elsewhere.map((text, i) => clip(`other-${i}`, [cue(text)]))
    const model = modelOf(corpusOf(words, [clip('v', [cue(said)], more), ...others]))
    return model.feedItem(
      model.clip('v')!.clipId,
      level === undefined ? { gloss: 'en' } : { level, gloss: 'en' },
    )
  }

  const words = catalogue(
    [1, 'one', 'A2'],
    [2, 'two', 'A2'],
    [3, 'three', 'B1'],
    [4, 'four', 'C2'],
    [5, 'five', 'A2'],
  )

  test('the band is one level above the level asked for, else above that of the clip; for C2 it is C2', () => {
    expect(focus(words, 'one three four', [], { level: 'A2' }).focusWord!.word).toBe('three')
    expect(focus(words, 'one three four', [], { level: 'A2' }, 'A1').focusWord!.word).toBe('one')
    expect(focus(words, 'one three four', [], { level: 'C2' }).focusWord!.word).toBe('four')
    expect(focus(words, 'one three four', [], {}, 'C1').focusWord!.word).toBe('four')
    expect(focus(words, 'one three four', [], {}, 'B1').focusWord).toBeNull()
  })

  test('words of three clips or more go before the others, even those said more often', () => {
    expect(focus(words, 'two two one', ['one', 'one'], {}).focusWord!.word).toBe('one')
    expect(focus(words, 'two two one', ['one'], {}).focusWord!.word).toBe('two')
  })

  test('among them the one said most often, then of the fewest clips, then of the lowest id', () => {
    expect(focus(words, 'one two two', ['one two', 'one two'], {}).focusWord!.word).toBe('two')
    expect(focus(words, 'one two', ['one two', 'one two', 'one'], {}).focusWord!.word).toBe('two')
    expect(focus(words, 'five two one', ['one', 'two', 'five'], {}).focusWord!.word).toBe('one')
  })

  test('`tStart` is where the word is first said, in overlapping cues too', () => {
    const late = cue('one', 5, 6, [{ text: 'one', tStart: 5.5, tEnd: 6 }])
    const early = cue('well one', 5, 6, [
      { text: 'well', tStart: 5, tEnd: 5.1 },
      { text: 'one', tStart: 5.25, tEnd: 5.4 },
    ])
    const model = modelOf(corpusOf(words, [clip('v', [late, early])]))
    const item = model.feedItem(model.clip('v')!.clipId, { gloss: 'tr' })
    expect(JSON.stringify(item.focusWord)).toBe(
      '{"word":"one","wordId":1,"level":"A2","meaning":"the meaning of one","tStart":5.25}',
    )
    expect(Object.keys(item)).toEqual(['clip', 'focusWord'])
    expect(Object.keys(item.clip).at(-1)).toBe('watchUrl')
  })

  test('the clips of a language are those that a walk covers', () => {
    const source = corpusOf([], [clip('v', []), clip('w', [])])
    source.clips.push(clip('x', [], { language: 'de' }))
    const model = modelOf(source)
    expect(model.clipIds('en')).toEqual([model.clip('v')!.clipId, model.clip('w')!.clipId])
    expect(model.clipIds('fr')).toEqual([])
  })
})

describe('generated corpora', () => {
  const samples = fc.sample(corpora(), { seed: 20, numRuns: 150 })
  const models = samples.map((source) => ({ source, model: modelOf(source) }))
  const clips = samples.flatMap((source) => source.clips)
  const transcripts = models.flatMap(({ source, model }) =>
    source.clips.map((each) => model.transcript(each.videoId)!),
  )

  test('the rules meet one another often', () => {
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

  test('queries find something mostly, and nothing now and then', () => {
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
      for (const query of draw(wordClipsQueries(source))) {
        note('wordClips', (model.wordClips(query.word, query)?.items.length ?? 0) > 0)
      }
    }
    for (const [nothing, something] of Object.values(outcomes)) {
      expect(nothing).toBeGreaterThan(6)
      expect(something).toBeGreaterThan(100)
    }
  })
})
