import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { askedClipIds, corpora, feedQueries, wordClipsQueries, wordsQueries } from './generate.ts'
import { modelOf } from './model.ts'
import type { TranscriptWord } from './records.ts'
import { GLOSSES, LEVELS } from './source.ts'
import type { CatalogueWord, Level, SourceClip, SourceCorpus, SourceCue, SourceWord } from './source.ts'
import { foldForSearch, ignoringCase, keyOf } from './spelling.ts'

// ------------------------------------------------------------------ short ways to write a corpus
// down

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

/** Source words a second apart: "went>go" is "went" with the lemma "go". */
function timed(...texts: string[]): SourceWord[] {
  return texts.map((entry, i) => {
    const [text = '', lemma] = entry.split('>')
    const word: SourceWord = { text, tStart: i, tEnd: i + 0.5 }
    return lemma === undefined ? word : { ...word, lemma }
  })
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

/** The tokens of the first cue of a clip that holds one cue, as "text" or "text:ids". */
function tokens(words: CatalogueWord[], said: SourceCue, language = 'en'): string[] {
  const model = modelOf(corpusOf(words, [clip('v', [said])], language))
  return model.transcript('v')!.cues[0]!.words.map(shown)
}

function shown({ text, wordIds }: TranscriptWord): string {
  return wordIds === undefined ? text : `${text}:${wordIds.join(',')}`
}

const ALL = { language: 'en', gloss: 'en', levels: null } as const

/** The forms under which a word occurs in a clip that holds one cue. */
function forms(words: CatalogueWord[], asked: string, said: SourceCue, language = 'en'): string[] {
  const model = modelOf(corpusOf(words, [clip('v', [said])], language))
  const found = model.wordClips(asked, { ...ALL, language })
  return (found?.items ?? []).flatMap((item) => item.occurrences.map((occurrence) => occurrence.form))
}

// ------------------------------------------------------------------ rules

describe('spelling', () => {
  test('a key holds hyphen and blanks for the same, and is bare of the punctuation around its parts', () => {
    expect(keyOf('Mother-in‑law', 'en')).toBe('mother in law')
    expect(keyOf('mother  in law', 'en')).toBe('mother in law')
    expect(keyOf('“Hello,  (world)!”', 'en')).toBe('hello world')
    expect(keyOf('a.m.', 'en')).toBe('a.m')
    expect(keyOf('?!', 'en')).toBe('')
    expect(keyOf("rock-'n'-roll", 'en')).toBe('rock n roll')
    expect(keyOf('rock ’n’ roll', 'en')).toBe('rock n roll')
    expect(keyOf('this - (that)-', 'en')).toBe('this that')
  })

  test('a key takes ’ ‘ ʼ for an apostrophe, a decomposed letter for the composed, a final ς for σ', () => {
    expect(keyOf('it’s', 'en')).toBe("it's")
    expect(keyOf('itʼs', 'en')).toBe("it's")
    expect(keyOf('cafe\u0301', 'en')).toBe('caf\u00e9')
    expect(keyOf('ΛΌΓΟΣ', 'el')).toBe(keyOf('λόγοσ', 'el'))
    expect(keyOf('ΜΑΪ\u0301ΟΥ', 'el')).toBe('μα\u0390ου')
  })

  test('case is that of the language: only Turkish and Azeri hold I for ı', () => {
    expect(ignoringCase('IŞIK', 'tr')).toBe('ışık')
    expect(ignoringCase('İyi', 'az')).toBe('iyi')
    expect(ignoringCase('ISI', 'de')).toBe('isi')
  })

  test('ignoring case strips nothing', () => {
    expect(ignoringCase('Ice-Cream!', 'en')).toBe('ice-cream!')
  })

  test('search drops Latin, Greek and Cyrillic marks: й is и, ё is е; ø, ł, ß and ı stay', () => {
    expect(foldForSearch('Йёлка', 'ru')).toBe('иелка')
    expect(foldForSearch('Ångström', 'en')).toBe('angstrom')
    expect(foldForSearch('ΛΌΓΟΣ', 'el')).toBe('λογοσ')
    expect(foldForSearch('Øłßı', 'en')).toBe('øłßı')
    expect(foldForSearch('ISI', 'tr')).toBe('ısı')
    expect(foldForSearch('İSİ', 'en')).toBe('isi')
    expect(foldForSearch('か\u3099む', 'ja')).toBe('がむ')
  })
})

describe('tokens', () => {
  test('a cue without source words is segmented; tokens are bare of punctuation, those without a letter or digit are out', () => {
    expect(tokens([], cue('“Well” — (said) the 2 of ♪ them...'))).toEqual([
      'Well',
      'said',
      'the',
      '2',
      'of',
      'them',
    ])
    expect(tokens([], cue("It's 3.14, don’t_"))).toEqual(["It's", '3.14', 'don’t'])
  })

  test('words with one hyphen and no blank between them are one token', () => {
    expect(tokens([], cue('a well-known mother‑in‐law'))).toEqual(['a', 'well-known', 'mother‑in‐law'])
    expect(tokens([], cue('ice- cream, ice--cream -ice'))).toEqual(['ice', 'cream', 'ice', 'cream', 'ice'])
  })

  test('tokens are NFC', () => {
    expect(tokens([], cue('cafe\u0301'))).toEqual(['caf\u00e9'])
  })

  test('times are interpolated by code points over the tokens that are kept, to 3 decimals', () => {
    const model = modelOf(corpusOf([], [clip('v', [cue('— I run, far! —', 1, 2)])]))
    expect(model.transcript('v')!.cues[0]!.words).toEqual([
      { text: 'I', tStart: 1, tEnd: 1.143 }, // 1 of 7
      { text: 'run', tStart: 1.143, tEnd: 1.571 }, // 4 of 7
      { text: 'far', tStart: 1.571, tEnd: 2 },
    ])
  })

  test('a letter beyond the basic plane is one character', () => {
    const model = modelOf(corpusOf([], [clip('v', [cue('𝒶 b', 0, 1)])]))
    expect(model.transcript('v')!.cues[0]!.words.map((word) => word.tEnd)).toEqual([0.5, 1])
  })

  test('with source words there is one token a word, with its own times, even where a word holds a blank', () => {
    const words = [
      { text: ' “Look after', tStart: 0.10049, tEnd: 0.4 },
      { text: '—', tStart: 0.4, tEnd: 0.5 },
      { text: 'me!”', tStart: 0.5, tEnd: 0.9 },
    ]
    const model = modelOf(corpusOf([], [clip('v', [cue('“Look after — me!”', 0, 1, words)])]))
    expect(model.transcript('v')!.cues[0]!.words).toEqual([
      { text: 'Look after', tStart: 0.1, tEnd: 0.4 },
      { text: 'me', tStart: 0.5, tEnd: 0.9 },
    ])
  })
})

describe('matching', () => {
  test('a token is indexed under the words whose headword or form it is, whatever the case', () => {
    const words = catalogue([5, 'run', 'A1', ['ran']], [3, 'ran'], [4, 'RANGE'])
    expect(tokens(words, cue('Run, RAN.'))).toEqual(['Run:5', 'RAN:3,5'])
  })

  test('headword goes before form, then the lower id; the phrase of most tokens before both', () => {
    const words = catalogue(
      [9, 'look', 'A1', ['after']],
      [8, 'after'],
      [7, 'look after'],
      [6, 'look after all'],
      [2, 'aft', 'A1', ['after']],
    )
    expect(tokens(words, cue('look after all'))).toEqual(['look:6,7,9', 'after:6,7,8,2,9', 'all:6'])
  })

  test('a phrase does not run across a sentence end, but it does across a comma, a quote or a dash', () => {
    const words = catalogue([1, 'look after'])
    for (const between of ['. ', '! ', '? ', '… ', '... ', '.” “']) {
      expect(tokens(words, cue(`look${between}after`))).toEqual(['look', 'after'])
    }
    for (const between of [', ', ' “', ' — ', '; ', '\n', ' ♪ ']) {
      expect(tokens(words, cue(`look${between}after`))).toEqual(['look:1', 'after:1'])
    }
  })

  test('a sentence may end right before a phrase or right after it', () => {
    expect(tokens(catalogue([1, 'look after']), cue('Yes! Look after. Now'))).toEqual([
      'Yes',
      'Look:1',
      'after:1',
      'Now',
    ])
  })

  test('a phrase does not run from cue to cue', () => {
    const model = modelOf(corpusOf(catalogue([1, 'look after']), [clip('v', [cue('look'), cue('after')])]))
    expect(model.wordClips('look after', ALL)!.items).toEqual([])
  })

  test('with source words the sentence end is read in the text of the cue', () => {
    const words = catalogue([1, 'look after'])
    expect(tokens(words, cue('look. After', 0, 9, timed('look', 'After')))).toEqual(['look', 'After'])
    expect(tokens(words, cue('look after', 0, 9, timed('look.', 'after')))).toEqual(['look:1', 'after:1'])
    expect(tokens(words, cue('Oh! look after', 0, 9, timed('OH', 'LOOK', 'after')))).toEqual([
      'OH',
      'LOOK:1',
      'after:1',
    ])
    expect(tokens(words, cue('look… after', 0, 9, timed('LOOK', 'after')))).toEqual(['LOOK', 'after'])
  })

  test('where a source word is not in the text, the punctuation stripped from the words counts', () => {
    const words = catalogue([1, 'look after'])
    expect(tokens(words, cue('watch. After', 0, 9, timed('look', 'After')))).toEqual(['look:1', 'After:1'])
    expect(tokens(words, cue('watch after', 0, 9, timed('look.', 'after')))).toEqual(['look', 'after'])
    expect(tokens(words, cue('watch after', 0, 9, timed('look', '…', 'after')))).toEqual(['look', 'after'])
  })

  test('hyphen and space inside a headword are the same, and a form likewise', () => {
    const words = catalogue([1, 'ice-cream'], [2, 'mother in law', 'A1', ['mothers-in-law']])
    expect(tokens(words, cue('ice cream'))).toEqual(['ice:1', 'cream:1'])
    expect(tokens(words, cue('Ice-Cream'))).toEqual(['Ice-Cream:1'])
    expect(tokens(words, cue('mothers in-law'))).toEqual(['mothers:2', 'in-law:2'])
    const music = catalogue([3, "rock-'n'-roll"])
    expect(tokens(music, cue("rock 'n' roll"))).toEqual(['rock:3', 'n:3', 'roll:3'])
  })

  test('a hyphenated token is never taken apart', () => {
    const words = catalogue([1, 'known'], [2, 'well'], [3, 'very well'])
    expect(tokens(words, cue('very well-known'))).toEqual(['very', 'well-known'])
  })

  test('the tokens of a phrase count for the single words too', () => {
    const words = catalogue([1, 'look'], [2, 'look after'], [3, 'after'])
    expect(forms(words, 'after', cue('look after'))).toEqual(['after'])
  })

  test('in ja and zh tokens that spell a headword when joined match it, and the form has no spaces', () => {
    const words = catalogue([1, '勉強する'], [2, 'する'], [3, '勉強'])
    const said = cue('毎日勉強する。', 0, 9, timed('毎日', '勉強', 'する。'))
    expect(tokens(words, said, 'ja')).toEqual(['毎日', '勉強:1,3', 'する:1,2'])
    expect(forms(words, '勉強する', said, 'ja')).toEqual(['勉強する'])
    const apart = cue('勉強。する', 0, 9, timed('勉強', 'する'))
    expect(tokens(words, apart, 'ja')).toEqual(['勉強:3', 'する:2'])
  })

  test('in other languages joined tokens match nothing', () => {
    expect(tokens(catalogue([1, 'into']), cue('in to'))).toEqual(['in', 'to'])
  })

  test('part of a token is not matched, in ja neither', () => {
    expect(tokens(catalogue([1, '物']), cue('食べ物', 0, 9, timed('食べ物')), 'ja')).toEqual(['食べ物'])
  })

  test('a lemma names headwords, not forms; one that names none leaves the token under nothing', () => {
    const words = catalogue([1, 'go', 'A1', ['went']], [2, 'went'], [3, 'walk', 'A1', ['go']])
    expect(tokens(words, cue('went', 0, 9, timed('went')))).toEqual(['went:2,1'])
    expect(tokens(words, cue('went', 0, 9, timed('went>Go')))).toEqual(['went:1'])
    expect(tokens(words, cue('went', 0, 9, timed('went>wend')))).toEqual(['went'])
  })

  test('phrases match by the texts whatever the lemmas', () => {
    const words = catalogue([1, 'look after', 'A1', ['looked after']], [2, 'look'])
    expect(tokens(words, cue('looked after', 0, 9, timed('looked>look', 'after>nothing')))).toEqual([
      'looked:1,2',
      'after:1',
    ])
  })

  test('two runs of one word from the same token are one occurrence, the longest', () => {
    const words = catalogue([1, 'look', 'A1', ['look after']])
    expect(forms(words, 'look', cue('look after look'))).toEqual(['look after', 'look'])
  })

  test('two runs of one word from different tokens are two occurrences, even where they overlap', () => {
    expect(forms(catalogue([1, 'ha ha']), 'ha ha', cue('ha, ha ha'))).toEqual(['ha ha', 'ha ha'])
  })

  test('a headword of punctuation alone is never matched', () => {
    expect(tokens(catalogue([1, '&'], [2, 'you & me']), cue('you & me'))).toEqual(['you:2', 'me:2'])
  })

  test('Turkish matches ı with I and i with İ', () => {
    const words = catalogue([1, 'ısı'], [2, 'isi'])
    expect(tokens(words, cue('ISI İSİ'), 'tr')).toEqual(['ISI:1', 'İSİ:2'])
  })

  test('diacritics matter to matching', () => {
    expect(tokens(catalogue([1, 'cafe']), cue('café cafe'))).toEqual(['café', 'cafe:1'])
  })

  test('a form of the tsv counts once with that of the catalogue and names its headword in any case', () => {
    const corpus = corpusOf(catalogue([1, 'Run', 'A1', ['ran']]), [clip('v', [cue('ran running')])])
    corpus.forms = { en: [['ran', 'run'], ['running', 'RUN']] } // prettier-ignore
    const model = modelOf(corpus)
    expect(model.transcript('v')!.cues[0]!.words.map(shown)).toEqual(['ran:1', 'running:1'])
    expect(model.wordClips('run', ALL)!.items[0]!.occurrenceCount).toBe(2)
  })

  test('a word is matched in clips of its own language alone', () => {
    const source = corpusOf(catalogue([1, 'die']), [clip('v', [cue('die')])])
    source.clips.push(clip('w', [cue('die')], { language: 'de' }))
    const model = modelOf(source)
    expect(model.clip('v')!.wordCount).toBe(1)
    expect(model.clip('w')!.wordCount).toBe(0)
    expect(model.words({ ...ALL, hasClips: true })[0]!.clipCount).toBe(1)
  })
})

describe('clips and transcripts', () => {
  const words = catalogue([1, 'run'], [2, 'far'], [3, 'away'])
  const known = clip('dQw4w9WgXcQ', [cue('Run, run far!', 0.5, 2.5)], { level: 'B1' })
  const named = clip('V-2', [], { clipId: 'ABCDEF01-2345-4789-8ABC-DEF012345678' })
  const model = modelOf(corpusOf(words, [known, named]))

  test('a clip record has the fields of the contract in their order', () => {
    expect(JSON.stringify(model.clip('dQw4w9WgXcQ'))).toBe(
      JSON.stringify({
        clipId: 'fa678091-b771-53c5-bb5c-b97259498be6',
        videoId: 'dQw4w9WgXcQ',
        title: 'Title of dQw4w9WgXcQ',
        language: 'en',
        level: 'B1',
        durationS: 60,
        channel: { id: 'c', name: 'Channel' },
        embedUrl: 'https://www.youtube.com/embed/dQw4w9WgXcQ',
        watchUrl: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
        wordCount: 2,
      }),
    )
  })

  test('a clip is found by its UUID in any case and by its video id in its own case', () => {
    expect(model.clip('abcdef01-2345-4789-8abc-def012345678')!.videoId).toBe('V-2')
    expect(model.clip('ABCDEF01-2345-4789-8abc-def012345678')!.videoId).toBe('V-2')
    expect(model.clip('V-2')!.clipId).toBe('abcdef01-2345-4789-8abc-def012345678')
    expect(model.clip('v-2')).toBeNull()
    expect(model.transcript('v-2')).toBeNull()
  })

  test('a transcript has the fields of the contract in their order, `wordIds` only where there are any', () => {
    expect(JSON.stringify(model.transcript('dQw4w9WgXcQ'))).toBe(
      JSON.stringify({
        clipId: 'fa678091-b771-53c5-bb5c-b97259498be6',
        videoId: 'dQw4w9WgXcQ',
        language: 'en',
        durationS: 60,
        wordTiming: 'interpolated',
        cues: [
          {
            tStart: 0.5,
            tEnd: 2.5,
            text: 'Run, run far!',
            words: [
              { text: 'Run', tStart: 0.5, tEnd: 1.167, wordIds: [1] },
              { text: 'run', tStart: 1.167, tEnd: 1.833, wordIds: [1] },
              { text: 'far', tStart: 1.833, tEnd: 2.5, wordIds: [2] },
            ],
          },
        ],
      }),
    )
  })

  test('one cue without source words makes a transcript interpolated; the other cues keep their times', () => {
    const measured = cue('go', 0, 9, [{ text: 'go', tStart: 1, tEnd: 2 }])
    const timing = (...cues: SourceCue[]) => modelOf(corpusOf([], [clip('v', cues)])).transcript('v')!
    expect(timing(measured).wordTiming).toBe('measured')
    expect(timing().wordTiming).toBe('measured')
    expect(timing(measured, cue('on')).wordTiming).toBe('interpolated')
    expect(timing(measured, cue('♪', 0, 9, [])).wordTiming).toBe('interpolated')
    expect(timing(measured, cue('on')).cues[0]!.words).toEqual([{ text: 'go', tStart: 1, tEnd: 2 }])
  })
})

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

describe('words', () => {
  const words = catalogue(
    [1, 'car'],
    [2, 'scar'],
    [3, 'Car\u00e9'],
    [4, 'card', 'B2'],
    [5, 'CAR pool'],
    [6, 'oscar'],
  )
  const said = ['card, scar', 'card', 'CAR POOL car', 'car', 'oscar']
  const model = modelOf(
    corpusOf(
      words,
      said.map((text, i) => clip(`v${i}`, [cue(text)])),
    ),
  )
  const found = (q: string | undefined, hasClips: boolean, levels: Level[] | null = null) =>
    model.words({ ...ALL, levels, hasClips, ...(q === undefined ? {} : { q }) }).map((word) => word.word)

  test('the exact word comes first, then words that begin with `q`, then words that contain it', () => {
    // clips: car 2, card 2, CAR pool 1, scar 1, oscar 1, Caré 0
    expect(found('car', false)).toEqual(['car', 'card', 'CAR pool', 'Car\u00e9', 'scar', 'oscar'])
  })

  test('without `q` words come by clips, then by id; words without clips are left out unless asked for', () => {
    expect(found(undefined, true)).toEqual(['car', 'card', 'scar', 'CAR pool', 'oscar'])
    expect(found(' ', false)).toEqual(['car', 'card', 'scar', 'CAR pool', 'oscar', 'Car\u00e9'])
  })

  test('matching ignores case, diacritics, composition and blanks around', () => {
    expect(found(' CARE\u0301 ', false)).toEqual(['Car\u00e9'])
    expect(found('c\u00e0r\u00e9', false)).toEqual(['Car\u00e9'])
    expect(found('r p', false)).toEqual(['CAR pool'])
    expect(found('carpool', false)).toEqual([])
  })

  test('`levels` are those of the words', () => {
    expect(found('car', true, ['B2', 'C1'])).toEqual(['card'])
  })

  test('forms are searched after headwords, and named', () => {
    const source = corpusOf(catalogue([1, 'run', 'A1', ['ran']]), [])
    expect(modelOf(source).words({ ...ALL, q: 'ran', hasClips: false })).toMatchObject([
      { word: 'run', matchedForm: 'ran' },
    ])
  })

  test('a meaning is in the gloss, else in English, else empty', () => {
    const bare: CatalogueWord = { wordId: 1, word: 'x', level: 'A1', meanings: { tr: 'iks' }, forms: [] }
    const full: CatalogueWord = {
      wordId: 2,
      word: 'y',
      level: 'A1',
      meanings: { en: 'why', tr: 'ye' },
      forms: [],
    }
    const source = corpusOf([bare, full], [])
    const meanings = (gloss: 'tr' | 'ja' | 'en') =>
      modelOf(source)
        .words({ ...ALL, gloss, hasClips: false })
        .map((word) => word.meaning)
    expect(meanings('tr')).toEqual(['iks', 'ye'])
    expect(meanings('ja')).toEqual(['', 'why'])
    expect(JSON.stringify(modelOf(source).words({ ...ALL, hasClips: false })[1])).toBe(
      '{"word":"y","wordId":2,"level":"A1","meaning":"why","clipCount":0}',
    )
  })
})

describe('the clips of a word', () => {
  const idOf = (source: SourceCorpus, asked: string) => modelOf(source).wordClips(asked, ALL)?.word.wordId

  test('a headword goes before a form, then the higher clipCount, then the lower id', () => {
    const words = catalogue([3, 'lay'], [2, 'lie', 'A1', ['lay', 'lies']], [1, 'liar', 'A1', ['lies']])
    expect(idOf(corpusOf(words, []), 'LAY')).toBe(3)
    expect(idOf(corpusOf(words, []), 'lies')).toBe(1)
    expect(idOf(corpusOf(words, [clip('v', [cue('lie')])]), 'lies')).toBe(2)
  })

  test('the spelling asked for goes before the same words joined in another way', () => {
    const words = catalogue([1, 'ice-cream', 'A1', ['ices']], [2, 'ice cream'])
    const source = corpusOf(words, [clip('v', [cue('ices')])])
    expect(idOf(source, 'Ice Cream')).toBe(2)
    expect(idOf(source, 'ice-cream')).toBe(1)
    expect(idOf(source, 'ice‑cream')).toBe(1)
    expect(idOf(source, '“ice  cream”')).toBe(1)
  })

  test('digits name a wordId of the language when no word is spelled so', () => {
    const source = corpusOf(catalogue([24, 'day'], [7, '24'], [8, 'week', 'A1', ['25']], [25, 'year']), [])
    source.catalogues.de = catalogue([9, 'Tag'])
    expect(idOf(source, '24')).toBe(7)
    expect(idOf(source, '25')).toBe(8)
    expect(idOf(source, '7')).toBe(7)
    expect(idOf(source, '07')).toBeUndefined()
    expect(idOf(source, '9')).toBeUndefined()
  })

  test('an unknown word is null, a known one without clips has an empty list', () => {
    const model = modelOf(corpusOf(catalogue([1, 'run'], [2, '&']), []))
    expect(model.wordClips('walk', ALL)).toBeNull()
    expect(model.wordClips('!', ALL)).toBeNull()
    expect(model.wordClips('&', ALL)!.word.wordId).toBe(2)
    expect(model.wordClips('run', ALL)!.items).toEqual([])
    expect(model.wordClips('run', { ...ALL, language: 'xx' })).toBeNull()
  })

  test('an item has the first three occurrences in time order, phrases joined with single spaces', () => {
    const words = catalogue([1, 'look after'])
    const later = cue('Look, after!', 4, 5, [
      { text: 'Look,', tStart: 4, tEnd: 4.2 },
      { text: 'after!', tStart: 4.3, tEnd: 4.9 },
    ])
    const sooner = cue('look-after', 3, 4)
    const source = corpusOf(words, [clip('v', [later, sooner, cue('look after look after', 5, 6)])])
    const { items } = modelOf(source).wordClips('look after', ALL)!
    expect(items[0]!.occurrenceCount).toBe(4)
    expect(JSON.stringify(items[0]!.occurrences)).toBe(
      JSON.stringify([
        { tStart: 3, tEnd: 4, form: 'look-after', text: 'look-after', start: 0, end: 10 },
        { tStart: 4, tEnd: 4.9, form: 'Look after', text: 'Look, after!', start: 0, end: 11 },
        { tStart: 5, tEnd: 5.5, form: 'look after', text: 'look after look after', start: 0, end: 10 },
      ]),
    )
    expect(Object.keys(items[0]!)).toEqual(['clip', 'knownShare', 'occurrenceCount', 'occurrences'])
  })

  test('`knownShare` counts indexed tokens by the lowest level of their words, half up', () => {
    const words = catalogue([1, 'look', 'B1'], [2, 'after', 'C1'], [3, 'look after', 'A2'], [4, 'zoo', 'C2'])
    const share = (text: string, asked: string) =>
      modelOf(corpusOf(words, [clip('v', [cue(text)])])).wordClips(asked, ALL)!.items[0]!.knownShare
    expect(share('look after the zoo', 'look')).toBe(0.67) // look and after are A2 by the phrase; "the" does not count
    expect(share('look. After zoo', 'look')).toBe(0.33)
    expect(share('look zoo zoo zoo zoo zoo zoo zoo', 'look')).toBe(0.13) // 0.125
    expect(share('zoo', 'zoo')).toBe(1)
  })

  test('clips come easiest first: level, knownShare, occurrences, clipId; `levels` are those of the clips', () => {
    const words = catalogue([1, 'run'], [2, 'zoo', 'C2'])
    const ids = (n: number) => ({ clipId: `0000000${n}-0000-4000-8000-000000000000` })
    const source = corpusOf(words, [
      clip('last', [cue('run')], { level: 'B1', ...ids(0) }),
      clip('half', [cue('run run zoo zoo')], ids(1)),
      clip('once-b', [cue('run')], ids(4)),
      clip('once-a', [cue('run')], ids(3)),
      clip('twice', [cue('run run')], ids(5)),
    ])
    const order = (levels: Level[] | null) =>
      modelOf(source)
        .wordClips('run', { ...ALL, levels })!
        .items.map((item) => item.clip.videoId)
    expect(order(null)).toEqual(['twice', 'once-a', 'once-b', 'half', 'last'])
    expect(order(['B1', 'C1'])).toEqual(['last'])
    expect(modelOf(source).wordClips('run', { ...ALL, levels: ['B1'] })!.word.clipCount).toBe(5)
  })
})

describe('the corpus record', () => {
  test('it counts clips, seconds, channels, words and meanings by language, in order of code', () => {
    const tr: CatalogueWord[] = catalogue([1, 'göz', 'A1'], [2, 'el', 'A1'], [3, 'yüz', 'C2'])
    tr[0]!.meanings = { tr: 'göz' }
    const source: SourceCorpus = {
      catalogues: { tr, ja: [] },
      forms: {},
      clips: [
        clip('a', [cue('göz')], { language: 'tr', level: 'B1', durationS: 180 }),
        clip('b', [cue('hi')], { language: 'de', durationS: 20 }),
        clip('c', [cue('yok')], { language: 'tr', durationS: 1, channel: { id: 'C', name: 'Channel' } }),
      ],
    }
    const record = modelOf(source).corpus()
    expect(Object.keys(record)).toEqual([
      'clipCount',
      'totalDurationS',
      'channelCount',
      'glosses',
      'languages',
    ])
    expect(record).toMatchObject({
      clipCount: 3,
      totalDurationS: 201,
      channelCount: 2,
      glosses: [...GLOSSES],
    })
    expect(record.languages.map(({ language }) => language)).toEqual(['de', 'ja', 'tr'])
    const none = { words: 0, withClips: 0 }
    const noMeanings = Object.fromEntries(GLOSSES.map((gloss) => [gloss, 0]))
    expect(JSON.stringify(record.languages[2])).toBe(
      JSON.stringify({
        language: 'tr',
        clipCount: 2,
        totalDurationS: 181,
        channelCount: 2,
        clipsByLevel: { A1: 1, A2: 0, B1: 1, B2: 0, C1: 0, C2: 0 },
        wordCount: 3,
        wordsWithClips: 1,
        wordsByLevel: { A1: { words: 2, withClips: 1 }, A2: none, B1: none, B2: none, C1: none, C2: { words: 1, withClips: 0 } }, // prettier-ignore
        glossCoverage: { ...noMeanings, en: 0.6667, tr: 0.3333 },
      }),
    )
    expect(record.languages[0]).toMatchObject({ clipCount: 1, wordCount: 0, glossCoverage: { en: 0 } })
  })
})

// ------------------------------------------------------------------ what is generated

describe('generated corpora', () => {
  const samples = fc.sample(corpora(), { seed: 20, numRuns: 150 })
  const models = samples.map((source) => ({ source, model: modelOf(source) }))
  const clips = samples.flatMap((source) => source.clips)
  const transcripts = models.flatMap(({ source, model }) =>
    source.clips.map((each) => model.transcript(each.videoId)!),
  )

  test('they have the sizes that were asked for', () => {
    for (const { clips: held, catalogues } of samples) {
      expect(held.length).toBeGreaterThanOrEqual(2)
      expect(held.length).toBeLessThanOrEqual(14)
      for (const words of Object.values(catalogues)) expect(words.length).toBeLessThanOrEqual(25)
    }
  })

  test('every id is given once, and every headword once in its language', () => {
    for (const { source, model } of models) {
      const wordIds = Object.values(source.catalogues).flatMap((words) => words.map(({ wordId }) => wordId))
      expect(new Set(wordIds).size).toBe(wordIds.length)
      for (const [language, words] of Object.entries(source.catalogues)) {
        expect(new Set(words.map(({ word }) => ignoringCase(word, language))).size).toBe(words.length)
        const spellings = words.map(({ word }) => ignoringCase(word, language))
        for (const [, headword] of source.forms[language] ?? []) {
          expect(spellings).toContain(ignoringCase(headword, language))
        }
      }
      expect(new Set(source.clips.map(({ videoId }) => videoId)).size).toBe(source.clips.length)
      expect(new Set(source.clips.map(({ videoId }) => model.clip(videoId)!.clipId)).size).toBe(
        source.clips.length,
      )
    }
  })

  test('every clip is acceptable', () => {
    for (const { videoId, title, durationS, cues } of clips) {
      expect(videoId).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
      expect(title).toMatch(/^\S(.*\S)?$/u)
      expect(durationS % 1).toBe(0)
      expect(durationS).toBeGreaterThanOrEqual(1)
      expect(durationS).toBeLessThanOrEqual(180)
      let lastStart = 0
      for (const { tStart, tEnd, text, words } of cues) {
        expect(text.trim()).not.toBe('')
        expect(tStart).toBeGreaterThanOrEqual(lastStart)
        expect(tEnd).toBeGreaterThanOrEqual(tStart)
        expect(tEnd).toBeLessThanOrEqual(durationS + 1)
        lastStart = tStart
        let lastSaid = tStart
        for (const word of words ?? []) {
          expect(word.text.trim()).not.toBe('')
          expect(word.tStart).toBeGreaterThanOrEqual(lastSaid)
          expect(word.tEnd).toBeGreaterThanOrEqual(word.tStart)
          expect(word.tEnd).toBeLessThanOrEqual(tEnd)
          lastSaid = word.tStart
        }
      }
    }
  })

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
    for (const { source, model } of models) {
      const draw = <T>(arbitrary: fc.Arbitrary<T>) => fc.sample(arbitrary, { seed: 7, numRuns: 10 })
      for (const id of draw(askedClipIds(source))) note('clips', model.clip(id) !== null)
      for (const query of draw(wordsQueries(source))) note('words', model.words(query).length > 0)
      for (const query of draw(feedQueries(source))) note('feed', model.clipIds(query.language).length > 0)
      for (const query of draw(wordClipsQueries(source))) {
        note('wordClips', (model.wordClips(query.word, query)?.items.length ?? 0) > 0)
      }
    }
    for (const [nothing, something] of Object.values(outcomes)) {
      expect(nothing).toBeGreaterThan(20)
      expect(something).toBeGreaterThan(300)
    }
  })
})
