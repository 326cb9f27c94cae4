import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect } from 'vitest'
import { defaultPlans } from '#contract/plans.ts'
import { currentVersion } from '#kit/stored-format.ts'
import { ledgerFormat } from '#tree/ledger-format.ts'
import { smallCorpus } from '../fixtures/small-corpus.ts'
import { clips } from '../nightly/small-corpus.ts'
import { fuzz } from './fuzz.ts'
import type { sourceSubjects } from './sources-thread.ts'
import { encoded, nearly, nearlyJson } from './texts.ts'
import { SubjectThread } from './thread.ts'
import { ledgerEntry } from '../harness/ledger.ts'

const thread = new SubjectThread<typeof sourceSubjects>(new URL('sources-thread.ts', import.meta.url))
afterAll(() => thread.end())

const fixtures = join(import.meta.dirname, '../fixtures')

/** Returns every subtitle file of the fixtures. */
function subtitleSamples(): string[] {
  const folder = join(fixtures, 'subtitles')
  const names = readdirSync(folder, { recursive: true }) as string[]
  const files = names
    .filter((name) => /\.\w+$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
  const [, ...cases] = readFileSync(join(fixtures, 'subtitle-cases.txt'), 'utf8').split(/^=== .*\n/m)
  return [...files, ...cases.map((each) => each.split('\n--->\n')[0]!)]
}

const language = fc.constantFrom('en', 'en', 'ja', 'zh', 'tr', 'ru', 'fr', 'xx')

describe('any source file is read or refused with a reason', () => {
  const subtitleFile = encoded(nearly(...subtitleSamples()))
  fuzz('subtitle files', 8_000, fc.tuple(subtitleFile, language), async ([bytes, language]) => {
    expect(await thread.call('subtitles', bytes, language)).toBeTruthy()
  })

  const parsedSamples = subtitleSamples().flatMap((text) => (/^[[{]/.test(text) ? parsedOrNone(text) : []))
  const jsonFile = fc.tuple(nearlyJson(...parsedSamples), language)
  fuzz('subtitle files of JSON', 4_000, jsonFile, async ([text, language]) => {
    expect(await thread.call('subtitles', Buffer.from(text), language)).toBeTruthy()
  })

  const descriptions = ['bakery.info', 'market', 'lighthouse.meta'].map((name) =>
    JSON.parse(readFileSync(join(fixtures, `subtitles/${name}.json`), 'utf8')),
  )
  fuzz('descriptions of videos', 1_000, nearlyJson(...descriptions), async (json) => {
    expect(await thread.call('metadata', json)).toBeTruthy()
  })

  const table =
    'id,title,channel,channel_id,duration,level,file\nab,"A, b",C,UC1,3:05,A1,a.srt\n,x,,,,,b.vtt\n'
  fuzz(
    'tables of videos',
    1_000,
    nearly(table, table.replaceAll(',', '\t'), `sep=;\n${table}`),
    async (text) => {
      expect(await thread.call('metadataTable', text)).toBeTruthy()
    },
  )

  const { en } = smallCorpus.catalogues
  const words = en!.map((word) => JSON.stringify(word))
  const someWords = nearly(...words.map((_, i) => `${words.slice(i).join('\n')}\n`))
  const forms = nearly('ran\trun\ncats\tcat\r\n', 'went\tgo\n\n', 'x\ty\tz\n')
  const catalogue = fc.record({ 'catalogue/en.jsonl': encoded(someWords), 'forms/en.tsv': encoded(forms) })
  fuzz('catalogues', 2_000, catalogue, async (files) => {
    expect(await thread.call('catalogue', files)).toBeTruthy()
  })

  const lists = [
    'word,meaning,level,forms\nrun,correr,A1,ran|runs\n"look after",cuidar,B1,\n(to) go,,A2,\n',
    '#separator:Semicolon\n#tags column:3\nword;meaning;x\nriver;water;nature level::B1\n',
    '#separator:tab\n#columns:Word\tMeaning\tCEFR\nriver\twater\tB1\n',
    'Wort;Niveau;Englisch\nFluss/Strom;B1;river\nder Fluss, Flüsse;A1;x\n',
    '食べる,たべる,N5,to eat\n',
    '學生 学生 [xue2 sheng5] /student/CL:個|个[ge4]/\n',
    '食べる [たべる] /(v1,vt) to eat/(P)/EntL1358280X/\n',
  ]
  const list = fc.tuple(encoded(nearly(...lists)), language)
  fuzz('word lists', 2_500, list, async ([bytes, language]) => {
    const files = { 'catalogue/en.jsonl': `${words.join('\n')}\n` }
    expect(await thread.call('wordList', bytes, language, files)).toBeTruthy()
  })

  const corpus = fc.record({
    'catalogue/en.jsonl': fc.oneof(fc.constant(`${words.join('\n')}\n`), someWords),
    // Enough clips that a few rejected ones do not stop the build.
    'clips/many.jsonl': fc.constant(
      clips(30)
        .map((clip) => JSON.stringify(clip))
        .join('\n'),
    ),
    'clips/a.json': nearlyJson(...smallCorpus.clips),
    'clips/b.jsonl': encoded(nearly(smallCorpus.clips.map((clip) => JSON.stringify(clip)).join('\n'))),
  })
  fuzz('corpora', 700, corpus, async (files) => {
    expect(await thread.call('build', files)).toBeTruthy()
  })

  const head = {
    format: 'clip-lookup ledger',
    version: currentVersion(ledgerFormat),
    tree: 't',
    releases: 1,
    release: '000001-0a1b2c3d',
    latest: '000001-0a1b2c3d',
    ordinals: { en: 1 },
  }
  const ledger = fc
    .tuple(nearlyJson(head), fc.array(nearlyJson(ledgerEntry), { maxLength: 3 }))
    .map(([head, entries]) => [head, ...entries])
  fuzz('ledgers', 500, ledger, async (lines) => {
    expect(await thread.call('ledger', lines)).toBeTruthy()
  })

  fuzz(
    'plans',
    500,
    fc.oneof(nearlyJson(defaultPlans), nearly(JSON.stringify(defaultPlans))),
    async (text) => {
      expect(await thread.call('plans', text)).toBeTruthy()
    },
  )
})

function parsedOrNone(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return []
  }
}
