import type { Corpus } from '#contract/corpus.ts'
import type { FeedPage } from '#contract/feed.ts'
import { basePath, operations, type OperationId } from '#contract/operations.ts'
import type { WordPage } from '#contract/word.ts'
import { recordRefusals } from './record-refusals.ts'
import { targetOf } from './target-of.ts'
import type { SampleService } from './sample-service.ts'
import type { Recording, SiteInput } from './site-input.ts'

/** The answers that the pages show. */
type Samples = Pick<SiteInput, 'corpus' | 'recordings' | 'refusals'>

/** How many pages of one feed are recorded: the walk that the console offers without a key. */
const feedPages = 3
const seed = 'monday-morning'

/**
 * Asks the service what a newcomer would ask, and keeps the answers.
 *
 * @throws {Error} when an answer does not fit its schema: the site would then show something untrue
 */
export async function recordSamples(service: SampleService): Promise<Samples> {
  const recordings: Recording[] = []
  const ask: Ask = async (id, title, parameters = {}) => {
    const operation = operations.find((candidate) => candidate.id === id)!
    const target = targetOf(basePath + operation.path, parameters)
    // Each operation has its own account, so that the recorded usage is small and no recording
    // meets the quota.
    const answer = await service.get(target, operation.access === 'key' ? `sample-${id}` : null)
    if (answer.status !== 200)
      throw new Error(`cannot record ${target}: ${answer.status} ${JSON.stringify(answer.body)}`)
    operation.record?.parse(answer.body)
    recordings.push({ operation: id, title, parameters, target, ...answer })
    return answer.body
  }
  const corpus = (await ask('getCorpus', 'The current corpus')) as Corpus
  const language = mainLanguage(corpus)
  const lang: Record<string, string> = language === 'en' ? {} : { language }
  const { items } = await recordFeed(ask, lang)
  const clip = items[0]?.clip
  const words = await chooseWords(service, lang)
  const [word] = words
  if (!clip || word === undefined)
    throw new Error('its examples need a clip in which a word is said, and the release has none')
  const ids = [...items.map((item) => item.clip.videoId), 'nosuchvideo'].join()
  await ask('listClips', 'The clips on a page, and one clip that does not exist', { ids })
  await ask('getClip', `“${clip.title}”, by clip id`, { clipId: clip.clipId })
  await ask('getClip', `“${clip.title}”, by video id`, { clipId: clip.videoId })
  await ask('getTranscript', `Transcript of “${clip.title}”`, { clipId: clip.clipId })
  await recordWords(ask, words, lang)
  await ask('getUsage', 'Usage for a trial account')
  const known: Record<string, string> = { clipId: clip.clipId, word, q: word, since: corpus.release }
  for (const operation of operations) {
    if (recordings.some((recording) => recording.operation === operation.id)) continue
    const { id, summary, pathParameters, queryParameters } = operation
    const inQuery = Object.keys(queryParameters).filter((name) => queryParameters[name]!.isRequired)
    const required = [...Object.keys(pathParameters), ...inQuery]
    await ask(id, summary, Object.fromEntries(required.map((name) => [name, known[name]!])))
  }
  return { corpus, recordings, refusals: await recordRefusals(service) }
}

type Ask = (operation: OperationId, title: string, parameters?: Record<string, string>) => Promise<unknown>

/**
 * The language of the examples: English where the corpus has clips in it, else the one with most
 * clips.
 */
function mainLanguage(corpus: Corpus): string {
  const most = corpus.languages.toSorted((a, b) => b.clipCount - a.clipCount)[0]
  const english = corpus.languages.find(({ language, clipCount }) => language === 'en' && clipCount > 0)
  return (english ?? most)?.language ?? 'en'
}

async function recordFeed(ask: Ask, lang: Record<string, string>): Promise<FeedPage> {
  const given = { ...lang, seed, limit: '3' }
  const first = (await ask('getFeed', 'A shuffle that you can repeat', given)) as FeedPage
  let page = first
  for (let number = 2; number <= feedPages && page.nextCursor !== null; number++) {
    page = (await ask('getFeed', `Page ${number} of the same shuffle`, {
      ...given,
      cursor: page.nextCursor,
    })) as FeedPage
  }
  await ask('getFeed', 'Clips at A1 and A2 of up to a minute', {
    ...lang,
    clipLevel: 'A1,A2',
    maxDurationS: '60',
    seed,
    limit: '3',
  })
  await ask('getFeed', 'For a learner at A2, with meanings in Spanish', {
    ...lang,
    level: 'A2',
    gloss: 'es',
    seed,
    limit: '3',
  })
  return first
}

/** The levels that words with a recorded list come from, the first one for the examples. */
const wordLevels = ['B1', 'A1', 'A2', 'B2', 'C1']

/**
 * Chooses a well-covered word from each level; fewer where the corpus has none. The first is no
 * phrase.
 */
async function chooseWords(service: SampleService, lang: Record<string, string>): Promise<string[]> {
  const chosen: string[] = []
  for (const level of [...wordLevels, '']) {
    if (level === '' && chosen.length > 0) break
    const target = targetOf(`${basePath}/words`, { ...lang, ...(level === '' ? {} : { level }), limit: '20' })
    const { words } = (await service.get(target, 'choice')).body as WordPage
    const fitting = words.filter(({ word }) => chosen.length > 0 || !word.includes(' '))
    const best =
      fitting.find(({ word, clipCount }) => word.length > 3 && clipCount > 2) ??
      fitting.find(({ word }) => word.length > 3) ??
      words[0]
    if (best) chosen.push(best.word)
  }
  return chosen
}

async function recordWords(ask: Ask, words: readonly string[], lang: Record<string, string>): Promise<void> {
  const word = words[0]!
  const q = [...word].slice(0, 3).join('')
  await ask('listWords', `Words like “${q}”`, { ...lang, q, limit: '5' })
  const most = (await ask('listWords', 'The words with the most clips', { ...lang, limit: '5' })) as WordPage
  await ask('listWords', 'Words at A1 and A2, with meanings in Japanese', {
    ...lang,
    level: 'A1,A2',
    gloss: 'ja',
    limit: '5',
  })
  const ids = most.words.map(({ wordId }) => wordId).reverse()
  await ask('listWords', 'Words by id', { ids: ids.join() })
  await ask('getWord', `“${word}” and its other spellings`, { ...lang, word })
  for (const each of words)
    await ask('listWordClips', `Clips with “${each}”`, { ...lang, word: each, limit: '3' })
  await ask('listWordClips', `Clips at A1 and A2 with “${word}”`, {
    ...lang,
    word,
    level: 'A1,A2',
    limit: '3',
  })
}
