import type { Corpus } from '#contract/corpus.ts'
import type { FeedPage } from '#contract/feed.ts'
import { levels } from '#contract/levels.ts'
import { operations, type OperationId } from '#contract/operations.ts'
import type { Word, WordPage } from '#contract/word.ts'
import { chooseWords } from './choose-words.ts'
import { recordRefusals } from './record-refusals.ts'
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
  const record = async (id: OperationId, title: string, parameters: Record<string, string> = {}) => {
    const { access, record: schema } = operations.find((candidate) => candidate.id === id)!
    // Each operation has its own account, so that the recorded usage is small and no recording
    // meets the quota.
    const answer = await service.ask(id, parameters, access === 'key' ? `sample-${id}` : null)
    if (answer.status !== 200)
      throw new Error(`cannot record ${answer.target}: ${answer.status} ${JSON.stringify(answer.body)}`)
    schema?.parse(answer.body)
    recordings.push({ ...answer, title })
    return answer.body
  }
  const corpus = (await record('getCorpus', 'The current corpus')) as Corpus
  const language = mainLanguage(corpus)
  const lang: Record<string, string> = language === 'en' ? {} : { language }

  const feed = { ...lang, seed, limit: '3' }
  const first = (await record('getFeed', 'A shuffle that you can repeat', feed)) as FeedPage
  let cursor = first.nextCursor
  for (let number = 2; number <= feedPages && cursor !== null; number++) {
    const page = await record('getFeed', `Page ${number} of the same shuffle`, { ...feed, cursor })
    cursor = (page as FeedPage).nextCursor
  }
  const short = { clipLevel: 'A1,A2', maxDurationS: '60' }
  await record('getFeed', 'Clips at A1 and A2 of up to a minute', { ...feed, ...short })
  await record('getFeed', 'For a learner at A2, with meanings in Spanish', {
    ...feed,
    level: 'A2',
    gloss: 'es',
  })

  const clip = first.items[0]?.clip
  const words = await wordsToShow(service, lang)
  const [word] = words
  if (!clip || word === undefined)
    throw new Error('its examples need a clip in which a word is said, and the release has none')
  const ids = [...first.items.map((item) => item.clip.videoId), 'nosuchvideo'].join()
  await record('listClips', 'The clips on a page, and one clip that does not exist', { ids })
  await record('getClip', `“${clip.title}”, by clip id`, { clipId: clip.clipId })
  await record('getClip', `“${clip.title}”, by video id`, { clipId: clip.videoId })
  await record('getTranscript', `Transcript of “${clip.title}”`, { clipId: clip.clipId })

  await recordWords(record, words, lang)
  await record('getUsage', 'Usage for a trial account')

  const known: Record<string, string> = { clipId: clip.clipId, word, q: word, since: corpus.release }
  for (const { id, summary, pathParameters, queryParameters } of operations) {
    if (recordings.some(({ operation }) => operation === id)) continue
    const inQuery = Object.keys(queryParameters).filter((name) => queryParameters[name]!.isRequired)
    const required = [...Object.keys(pathParameters), ...inQuery]
    await record(id, summary, Object.fromEntries(required.map((name) => [name, known[name]!])))
  }
  return { corpus, recordings, refusals: await recordRefusals(service) }
}

/**
 * The language of the examples: English where the corpus has clips in it, else the one with most
 * clips.
 */
function mainLanguage({ languages }: Corpus): string {
  const [most] = languages.toSorted((a, b) => b.clipCount - a.clipCount)
  const english = languages.find(({ language, clipCount }) => language === 'en' && clipCount > 0)
  return (english ?? most)?.language ?? 'en'
}

type Ask = (id: OperationId, title: string, parameters: Record<string, string>) => Promise<unknown>

async function recordWords(
  record: Ask,
  words: readonly string[],
  lang: Record<string, string>,
): Promise<void> {
  const word = words[0]!
  const some = { ...lang, limit: '5' }
  const easy = { level: 'A1,A2' }
  const q = [...word].slice(0, 3).join('')
  await record('listWords', `Words like “${q}”`, { ...some, q })
  const most = (await record('listWords', 'The words with the most clips', some)) as WordPage
  await record('listWords', 'Words at A1 and A2, with meanings in Japanese', {
    ...some,
    ...easy,
    gloss: 'ja',
  })
  const wordIds = most.words.map(({ wordId }) => wordId).reverse()
  await record('listWords', 'Words by id', { ids: wordIds.join() })
  await record('getWord', `“${word}” and its other spellings`, { ...lang, word })
  for (const each of words)
    await record('listWordClips', `Clips with “${each}”`, { ...lang, word: each, limit: '3' })
  await record('listWordClips', `Clips at A1 and A2 with “${word}”`, { ...lang, word, ...easy, limit: '3' })
}

/** A few words that are no phrases; where there are none, one of the phrases. */
async function wordsToShow(service: SampleService, lang: Record<string, string>): Promise<string[]> {
  const words: Word[] = []
  for (const level of levels) {
    const { body } = await service.ask('listWords', { ...lang, level, limit: '20' }, 'choice')
    words.push(...(body as WordPage).words)
  }
  const chosen = chooseWords(words.filter(({ word }) => !word.includes(' ')))
  return chosen.length > 0 ? chosen : words.slice(0, 1).map(({ word }) => word)
}
