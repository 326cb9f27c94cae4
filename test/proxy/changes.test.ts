import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Changes } from '#contract/changes.ts'
import { rollback } from '#tree/rollback.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { smallCorpus } from '../fixtures/small-corpus.ts'
import type { SourceCorpus } from '../model/source.ts'
import { holdsForCorpora, serve, type Served } from './agreement/served.ts'
import { startSmallService } from './small-service.ts'

const allRuns = 12

/** A release as its callers see it: by id, what is cached of a clip or word. */
type Seen = { release: string; clips: Map<string, string>; words: Map<number, string> }

test('whatever nights bring, the changes since each release lead a copy of it to the one in service', async () => {
  const nights = (corpus: SourceCorpus) =>
    fc.array(
      fc.record({
        isThere: fc.array(fc.boolean(), { minLength: corpus.clips.length, maxLength: corpus.clips.length }),
        replaced: fc.nat(),
        dropped: fc.nat({ max: 3 }),
      }),
      { minLength: 2, maxLength: 4 },
    )
  await holdsForCorpora(allRuns, nights, async (served, drafts) => {
    const seen = [await look(served)]
    for (const { isThere, replaced, dropped } of drafts) {
      const clips = served.corpus.clips
        .filter((_, i) => isThere[i])
        .map((clip, i) => (i === replaced % 8 ? { ...clip, title: `${clip.title} ${replaced}` } : clip))
      const catalogues = Object.fromEntries(
        Object.entries(served.corpus.catalogues).map(([language, words]) => [language, words.slice(dropped)]),
      )
      await buildNight(served, { ...served.corpus, catalogues, clips })
      seen.push(await look(served))
    }
    for (const before of seen) await leadsOn(served, before, seen.at(-1)!)
  })
})

/**
 * Holds that what is not named is the same, what is added or withdrawn is so, and what changed is
 * there on both sides: of clips, only those that differ.
 */
async function leadsOn({ service }: Served, before: Seen, now: Seen): Promise<void> {
  const { status, json } = await service.get(`/changes?since=${before.release}`)
  expect(status).toBe(200)
  const changes = json as Changes
  expect(changes).toMatchObject({ from: before.release, to: now.release })
  holdsFor(changes.clips, before.clips, now.clips)
  holdsFor(changes.words, before.words, now.words)
  for (const id of changes.clips.changed) expect(before.clips.get(id)).not.toBe(now.clips.get(id))
  if (before === now) expect([changes.clips.changed, changes.words.changed]).toEqual([[], []])
}

function holdsFor<Id extends string | number>(
  { added, changed, withdrawn }: { added: Id[]; changed: Id[]; withdrawn: Id[] },
  before: Map<Id, string>,
  now: Map<Id, string>,
): void {
  expect(new Set(added)).toEqual(new Set([...now.keys()].filter((id) => !before.has(id))))
  expect(new Set(withdrawn)).toEqual(new Set([...before.keys()].filter((id) => !now.has(id))))
  for (const id of changed) expect(before.has(id) && now.has(id)).toBe(true)
  const named = new Set(changed)
  const differing = [...now].filter(([id, text]) => before.has(id) && before.get(id) !== text)
  for (const [id] of differing) expect(named.has(id), `${id} has changed`).toBe(true)
}

/** Everything that a caller could cache of the release in service. */
async function look({ corpus, service, get }: Served): Promise<Seen> {
  const { release } = (await service.get('/corpus')).json
  const clips = new Map<string, string>()
  for (const { videoId } of corpus.clips) {
    const answer = await get(`/clips/${videoId}`)
    if (answer.status === 200) clips.set(answer.json.clipId, answer.text)
  }
  const words = new Map<number, string>()
  const ids = Object.values(corpus.catalogues).flatMap((some) => some.map(({ wordId }) => wordId))
  if (ids.length === 0) return { release, clips, words }
  for (const word of (await get(`/words?ids=${ids.slice(0, 100).join()}`)).json.words)
    words.set(word.wordId, JSON.stringify(word))
  return { release, clips, words }
}

async function buildNight({ service }: Pick<Served, 'service'>, corpus: SourceCorpus): Promise<string> {
  const corpusFolder = tempFolder()
  await writeSourceFolder(corpusFolder, corpus)
  service.clock.ms += 24 * 3600 * 1000
  const { release } = await service.build(corpusFolder, { maxShrink: 1, replace: 'all' })
  await service.refresh()
  return release
}

test('the release in service has no changes since itself, and an unknown or malformed one is 404', async () => {
  await using service = await startSmallService()
  const { release } = (await service.get('/corpus')).json
  const none = { added: [], changed: [], withdrawn: [] }
  const answer = await service.get(`/changes?since=${release}`)
  expect(answer.json).toEqual({ from: release, to: release, clips: none, words: none })
  expect(answer.headers['cache-control']).toContain('public')
  for (const since of ['000099-00000000', '000001-00000000', 'x', '..%2F..%2Fdist', `${release}x`]) {
    const { status, json } = await service.get(`/changes?since=${since}`)
    expect({ since, status }).toEqual({ since, status: 404 })
    expect(json.error.message).toContain('start again from /corpus')
  }
})

test('after a rollback the changes lead back', async () => {
  const served = await serve(smallCorpus, tempFolder())
  onTestFinished(() => served.service.stop())
  const first = (await served.service.get('/corpus')).json.release
  const second = await buildNight(served, { ...smallCorpus, clips: smallCorpus.clips.slice(1) })
  const forth = (await served.service.get(`/changes?since=${first}`)).json
  expect(forth.clips.withdrawn).toHaveLength(1)
  await rollback(join(served.folder, 'dist'), first)
  await served.service.refresh()
  const back = (await served.service.get(`/changes?since=${second}`)).json
  expect(back.clips.added).toEqual(forth.clips.withdrawn)
})

test('a clip that was withdrawn and came back has not changed', async () => {
  await using service = await startSmallService()
  const { release } = (await service.get('/corpus')).json
  await buildNight({ service }, { ...smallCorpus, clips: smallCorpus.clips.slice(1) })
  await buildNight({ service }, smallCorpus)
  const { clips } = (await service.get(`/changes?since=${release}`)).json
  expect(clips).toEqual({ added: [], changed: [], withdrawn: [] })
})

test('the changes of the release asked for, which may name every clip, are not read', async () => {
  await using service = await startSmallService()
  const { release } = (await service.get('/corpus')).json
  await buildNight({ service }, { ...smallCorpus, clips: smallCorpus.clips.slice(1) })
  await rm(join(service.folder, 'dist', 'releases', release), { recursive: true })
  const { status, json } = await service.get(`/changes?since=${release}`)
  expect([status, json.clips.withdrawn.length]).toEqual([200, 1])
})

test('since a release after which changes are gone is 404', async () => {
  await using service = await startSmallService()
  const { release } = (await service.get('/corpus')).json
  const second = await buildNight({ service }, { ...smallCorpus, clips: smallCorpus.clips.slice(1) })
  await rm(join(service.folder, 'dist', 'releases', second, 'changes.json'))
  expect((await service.get(`/changes?since=${release}`)).status).toBe(404)
})

test.each([
  ['cut', () => '{'],
  ['of another release', () => '{"to":"000009-00000000"}'],
  [
    'one that follows itself',
    (text: string) => text.replace(/"from": "\d+-\w+"/, '"from": "000002-00000000"'),
  ],
  ['another list', (text: string) => text.replace('"withdrawn": [', '"withdrawn": []')],
])('since a release after which the changes are damaged is 503: %s', async (_, spoil) => {
  await using service = await startSmallService()
  const { release } = (await service.get('/corpus')).json
  const second = await buildNight({ service }, { ...smallCorpus, clips: smallCorpus.clips.slice(1) })
  const file = join(service.folder, 'dist/releases', second, 'changes.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, spoil(text).replace('000002-00000000', second))
  const { status, json } = await service.get(`/changes?since=${release}`)
  expect([status, json.error.code]).toEqual([503, 'unavailable'])
})
