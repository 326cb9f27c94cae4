import type { Corpus } from '#contract/corpus.ts'
import type { FeedPage } from '#contract/feed.ts'
import { basePath, operations, type OperationId } from '#contract/operations.ts'
import type { Word, WordPage } from '#contract/word.ts'
import type { SampleAnswer, SampleService } from './sample-service.ts'
import type { Recording } from './site-input.ts'

/** What the pages show of the service. */
export interface Samples {
  corpus: Corpus
  recordings: Recording[]
  refusals: Record<string, Recording>
}

/** How many pages of one feed are recorded: the walk without a key. */
const feedPages = 3
const seed = 'monday-morning'

/**
 * Asks the service what a newcomer would, and keeps the answers.
 *
 * @throws {Error} when an answer does not fit its schema: what the site would say is then not true
 */
export async function recordSamples(service: SampleService): Promise<Samples> {
  const recordings: Recording[] = []
  const ask = async (operation: OperationId, title: string, parameters: Record<string, string> = {}) => {
    const recording = await record(service, operation, title, parameters)
    recordings.push(recording)
    return recording.body
  }
  const corpus = (await ask('getCorpus', 'The corpus in service')) as Corpus
  const language = mainLanguage(corpus)
  const lang: Record<string, string> = language === 'en' ? {} : { language }
  const first = await recordFeed(ask, lang)
  await ask('getFeed', 'For a learner at A2, meanings in Spanish', {
    ...lang,
    level: 'A2',
    gloss: 'es',
    seed,
    limit: '3',
  })
  const clip = first.items[0]?.clip
  if (clip) {
    await ask('getClip', `“${clip.title}”, by clip id`, { clipId: clip.clipId })
    await ask('getClip', `“${clip.title}”, by video id`, { clipId: clip.videoId })
    await ask('getTranscript', `What is said in “${clip.title}”`, { clipId: clip.clipId })
  }
  const words = (await ask('listWords', 'The words with most clips', { ...lang, limit: '5' })) as WordPage
  await recordWords(ask, await chooseWord(service, words, lang), lang)
  await ask('getUsage', 'What is spent')
  await ask('getOpenApi', 'The OpenAPI document')
  return { corpus, recordings, refusals: await recordRefusals(service) }
}

type Ask = (operation: OperationId, title: string, parameters?: Record<string, string>) => Promise<unknown>

/** The language that examples are in: English where there are clips in it, else the one with most. */
function mainLanguage(corpus: Corpus): string {
  const most = corpus.languages.toSorted((a, b) => b.clipCount - a.clipCount)[0]
  const english = corpus.languages.find(({ language, clipCount }) => language === 'en' && clipCount > 0)
  return (english ?? most)?.language ?? 'en'
}

async function recordFeed(ask: Ask, lang: Record<string, string>): Promise<FeedPage> {
  const given = { ...lang, seed, limit: '3' }
  const first = (await ask('getFeed', 'A shuffle that can be repeated', given)) as FeedPage
  let page = first
  for (let number = 2; number <= feedPages && page.nextCursor !== null; number++) {
    page = (await ask('getFeed', `Page ${number} of the same shuffle`, {
      limit: '3',
      cursor: page.nextCursor,
    })) as FeedPage
  }
  return first
}

/** A word worth looking at: of B1 and with several clips, where there is one. */
async function chooseWord(
  service: SampleService,
  { words }: WordPage,
  lang: Record<string, string>,
): Promise<Word | undefined> {
  const target = targetOf('listWords', { ...lang, level: 'B1', limit: '20' })
  const { body } = await service.get(target, 'choice')
  const better = (body as WordPage).words.find(({ word, clipCount }) => word.length > 3 && clipCount > 2)
  return better ?? words.find(({ word }) => word.length > 3) ?? words[0]
}

async function recordWords(ask: Ask, word: Word | undefined, lang: Record<string, string>): Promise<void> {
  if (!word) return
  const q = [...word.word].slice(0, 3).join('')
  await ask('listWords', `Words like “${q}”`, { ...lang, q, limit: '5' })
  await ask('listWords', 'Words of A1 and A2, meanings in Japanese', {
    ...lang,
    level: 'A1,A2',
    gloss: 'ja',
    limit: '5',
  })
  await ask('listWordClips', `Clips that say “${word.word}”`, { ...lang, word: word.word, limit: '3' })
  await ask('listWordClips', `Clips of A1 and A2 that say “${word.word}”`, {
    ...lang,
    word: word.word,
    level: 'A1,A2',
    limit: '3',
  })
}

async function recordRefusals(service: SampleService): Promise<Record<string, Recording>> {
  const asked: [string, OperationId, Record<string, string>, boolean][] = [
    ['invalid', 'getFeed', { limit: '500' }, true],
    ['unauthorized', 'getFeed', {}, false],
    ['notFound', 'getClip', { clipId: 'nosuchvideo' }, true],
  ]
  const recorded: Record<string, Recording> = {}
  for (const [name, operation, parameters, isKeyed] of asked) {
    const target = targetOf(operation, parameters)
    const answer = await service.get(target, isKeyed ? 'refusals' : null)
    recorded[name] = { operation, title: name, parameters, target, ...answer }
  }
  for (let asked = 0; asked < 25; asked++) {
    const target = targetOf('listWords', { q: String(asked) })
    const answer = await service.get(target, 'spent')
    if (answer.status !== 429) continue
    recorded.quota = { operation: 'listWords', title: 'quota', parameters: {}, target, ...answer }
    break
  }
  return recorded
}

async function record(
  service: SampleService,
  id: OperationId,
  title: string,
  parameters: Record<string, string>,
): Promise<Recording> {
  const operation = operations.find((candidate) => candidate.id === id)!
  const target = targetOf(id, parameters)
  // An account each: the recorded usage is then a small number, and no recording meets the quota.
  const answer = await service.get(target, operation.access === 'key' ? `sample-${id}` : null)
  checkAnswer(target, answer)
  operation.record?.parse(answer.body)
  return { operation: id, title, parameters, target, ...answer }
}

function checkAnswer(target: string, { status, body }: SampleAnswer): void {
  if (status !== 200) throw new Error(`cannot record ${target}: ${status} ${JSON.stringify(body)}`)
}

/** The path and query of a request. */
export function targetOf(id: OperationId, parameters: Record<string, string>): string {
  const operation = operations.find((candidate) => candidate.id === id)!
  const query = new URLSearchParams()
  let path = basePath + operation.path
  for (const [name, value] of Object.entries(parameters)) {
    if (name in operation.pathParameters) path = path.replace(`{${name}}`, encodeURIComponent(value))
    else query.set(name, value)
  }
  return query.size > 0 ? `${path}?${query.toString().replaceAll('%2C', ',')}` : path
}
