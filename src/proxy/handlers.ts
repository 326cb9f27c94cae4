import { feed } from './feed/answer.ts'
import type { Handlers } from './http/handler.ts'
import { listWords } from './search/answer.ts'
import { searchSentences } from './sentences/answer.ts'
import { changes } from './serve/changes.ts'
import { clipFile, clips } from './serve/clips.ts'
import { corpus, openApi, usage } from './serve/service-records.ts'
import { wordClips } from './serve/word-clips.ts'
import { word } from './serve/word.ts'

/** The handlers of all operations. */
export const handlers: Handlers = {
  getFeed: feed,
  listClips: clips,
  getClip: clipFile('recordFile'),
  getTranscript: clipFile('transcriptFile'),
  listWords,
  getWord: word,
  listWordClips: wordClips,
  searchSentences,
  getCorpus: corpus,
  getChanges: changes,
  getUsage: usage,
  getOpenApi: openApi,
}
