import type { Corpus } from '#contract/corpus.ts'
import type { FeedPage } from '#contract/feed.ts'
import { levels } from '#contract/levels.ts'
import { operations, type Operation, type OperationId } from '#contract/operations.ts'
import type { Word, WordDetail, WordPage } from '#contract/word.ts'
import { chooseWords } from './choose-words.ts'
import type { SampleService } from './sample-service.ts'
import type { RecordedAnswer, Recording, SiteInput } from './site-input.ts'
import { isUnspaced } from '#language/unspaced.ts'

/** How many pages of a feed are recorded, which the console can show without a key. */
const feedPages = 3
const seed = 'monday-morning'

/**
 * Sends the requests that a new user would send, and returns the responses for the pages.
 *
 * @throws {Error} a response does not match its schema
 */
export async function recordSamples(
  service: SampleService,
): Promise<Pick<SiteInput, 'corpus' | 'recordings' | 'refusals'>> {
  const recordings: Recording[] = []
  const record = async <T>(id: OperationId, title: string, parameters: Record<string, string> = {}) => {
    const { access, record: schema } = operations.find((candidate) => candidate.id === id)!
    // Each operation has its own account, so that recorded usage is low and no quota is exceeded.
    const answer = await service.ask(id, parameters, access === 'key' ? `sample-${id}` : null)
    if (answer.status !== 200)
      throw new Error(`cannot record ${answer.target}: ${answer.status} ${JSON.stringify(answer.body)}`)
    schema?.parse(answer.body)
    recordings.push({ ...answer, title })
    return answer.body as T
  }
  const corpus = await record<Corpus>('getCorpus', 'The current corpus')
  const language = mainLanguage(corpus)
  const lang: Record<string, string> = language === 'en' ? {} : { language }

  const feed = { ...lang, seed, limit: '3' }
  const { items, nextCursor } = await record<FeedPage>('getFeed', 'A shuffle that you can repeat', feed)
  let cursor = nextCursor
  for (let number = 2; number <= feedPages && cursor !== null; number++) {
    const page = await record<FeedPage>('getFeed', `Page ${number} of the same shuffle`, { ...feed, cursor })
    cursor = page.nextCursor
  }
  const clip = items[0]?.clip
  const words = await wordsToShow(service, lang)
  const [word] = words
  if (!clip || word === undefined)
    throw new Error('its examples need a clip in which a word is said, and the release has none')
  const some = { ...lang, limit: '5' }
  const q = [...word].slice(0, 3).join('')
  await record('listWords', `Words like “${q}”`, { ...some, q })
  const most = await record<WordPage>('listWords', 'The words with the most clips', some)

  const { clipId, videoId, title } = clip
  const readClip = await clipWithReadings(service, corpus)
  const clipIds = [...items.map((item) => item.clip.videoId), 'nosuchvideo'].join()
  const wordIds = most.words.map(({ wordId }) => wordId).reverse()
  const form = await formToShow(service, lang, words)
  const few = { ...lang, limit: '3' }
  const level = 'A1,A2'
  const samples: (readonly [id: OperationId, title: string, parameters?: Record<string, string>])[] = [
    ['getFeed', 'Clips at A1 and A2 of up to a minute', { ...feed, clipLevel: level, maxDurationS: '60' }],
    ['getFeed', 'For a learner at A2, with meanings in Spanish', { ...feed, level: 'A2', gloss: 'es' }],
    [
      'getFeed',
      'For a learner who knows the words at A1, with the line of each focus word',
      { ...feed, known: 'A1', context: 'true' },
    ],
    ['listClips', 'The clips on a page, and one clip that does not exist', { ids: clipIds }],
    ['getClip', `“${title}”, by clip id`, { clipId }],
    ['getClip', `“${title}”, by video id`, { clipId: videoId }],
    ['getTranscript', `Transcript of “${title}”`, { clipId }],
    ...(readClip
      ? [
          [
            'getTranscript',
            `Transcript of “${readClip.title}”, with readings`,
            { clipId: readClip.clipId },
          ] as const,
        ]
      : []),
    ['listWords', 'Words at A1 and A2, with meanings in Japanese', { ...some, level, gloss: 'ja' }],
    ['listWords', 'Words by id', { ids: wordIds.join() }],
    ['listWords', 'Words by spelling', { ...lang, spellings: [...words, ...(form ? [form] : [])].join() }],
    ['getWord', `“${word}” and its other spellings`, { ...lang, word }],
    ...(form === undefined
      ? []
      : [['listWords', `Words with the form “${form}”`, { ...some, q: form }] as const]),
    ...words.map((word) => ['listWordClips', `Clips with “${word}”`, { ...few, word }] as const),
    ['listWordClips', `Clips at A1 and A2 with “${word}”`, { ...few, word, level }],
    ['listWordClips', `Clips with “${word}”, with the sentences`, { ...few, word, context: 'true' }],
    [
      'listWordClips',
      `Clips with “${word}” for a learner who knows the words at A1`,
      { ...few, word, known: 'A1' },
    ],
    ['searchSentences', `Clips in which “${word}” is said`, { ...few, q: word }],
    [
      'searchSentences',
      `Clips in which “${word}” is said, with the sentences, for a learner who knows the words at A1`,
      { ...few, q: word, known: 'A1', context: 'true', gloss: 'es' },
    ],
    ['getUsage', 'Usage for a trial account'],
  ]
  for (const sample of samples) await record(...sample)

  const valueByName: Record<string, string> = { clipId, word, q: word, since: corpus.release }
  for (const { id, summary, pathParameters, queryParameters } of operations) {
    if (recordings.some(({ operation }) => operation === id)) continue
    const inQuery = Object.keys(queryParameters).filter((name) => queryParameters[name]!.isRequired)
    const requiredNames = [...Object.keys(pathParameters), ...inQuery]
    await record(id, summary, Object.fromEntries(requiredNames.map((name) => [name, valueByName[name]!])))
  }
  return { corpus, recordings, refusals: await recordRefusals(service) }
}

/** Returns the language of the examples: English if it has clips, else the one with most clips. */
function mainLanguage({ languages }: Corpus): string {
  const [most] = languages.toSorted((a, b) => b.clipCount - a.clipCount)
  const english = languages.find(({ language, clipCount }) => language === 'en' && clipCount > 0)
  return (english ?? most)?.language ?? 'en'
}

/** Returns a clip in a language whose words have readings; undefined if there is none. */
async function clipWithReadings(service: SampleService, { languages }: Corpus) {
  const coverage = languages.find(({ language, clipCount }) => isUnspaced(language) && clipCount > 0)
  if (!coverage) return undefined
  const { body } = await service.ask('getFeed', { language: coverage.language, seed, limit: '1' }, 'choice')
  return (body as FeedPage).items[0]?.clip
}

/** Returns words for the examples, or a phrase if there are only phrases. */
async function wordsToShow(service: SampleService, lang: Record<string, string>): Promise<string[]> {
  const words: Word[] = []
  for (const level of levels) {
    const { body } = await service.ask('listWords', { ...lang, level, limit: '20' }, 'choice')
    words.push(...(body as WordPage).words)
  }
  const singleWords = chooseWords(words.filter(({ word }) => !word.includes(' ')))
  return singleWords.length > 0 ? singleWords : words.slice(0, 1).map(({ word }) => word)
}

/** Returns a form of one of these words; undefined if none of them has a form. */
async function formToShow(service: SampleService, lang: Record<string, string>, words: readonly string[]) {
  for (const word of words) {
    const { body } = await service.ask('getWord', { ...lang, word }, 'choice')
    const form = (body as WordDetail).forms.find((spelling) => spelling !== word)
    if (form !== undefined) return form
  }
  return undefined
}

/** Sends requests that the service refuses, for each error that a client can cause. */
async function recordRefusals(service: SampleService): Promise<RecordedAnswer[]> {
  const refusals: RecordedAnswer[] = []
  for (const operation of operations) {
    const { id, access } = operation
    const account = access === 'key' ? `refused-${id}` : null
    const unknown = unknownResource(operation)
    refusals.push(await service.ask(id, unknown, account))
    refusals.push(await service.ask(id, { ...unknown, ...invalidValue(operation) }, account))
    refusals.push(await service.ask(id, unknown, null))
  }
  const { id } = operations[0]!
  // The service responds with 429 after 21 look-ups, or 61 requests within a minute.
  for (const [account, limit] of Object.entries({ 'spends-quota': '5', 'spends-window': '500' })) {
    let answer: RecordedAnswer
    do answer = await service.ask(id, { limit }, account)
    while (answer.status !== 429)
    refusals.push(answer)
  }
  refusals.push(await service.ask(id, { seed: 'x'.repeat(9000) }, 'refused'))
  refusals.push(await service.ask(id, {}, 'refused', 'POST'))
  return refusals.filter(({ status }) => status >= 400)
}

/** Returns parameters that identify a resource that does not exist. */
function unknownResource({ pathParameters, queryParameters }: Operation): Record<string, string> {
  const unknown = { clipId: 'nosuchvideo', word: 'nosuchword', since: '000000-00000000' }
  const operationParameters = { ...pathParameters, ...queryParameters }
  return Object.fromEntries(Object.entries(unknown).filter(([name]) => name in operationParameters))
}

/** Returns a parameter that the operation refuses. */
function invalidValue({ queryParameters }: Operation): Record<string, string> {
  if ('limit' in queryParameters) return { limit: '500' }
  return 'gloss' in queryParameters ? { gloss: 'xx' } : { colour: 'red' }
}
