import { prepareFeed } from '../feed/answer.ts'
import type { CacheCounts } from '../cache-count.ts'
import { AnswerCache } from './answer-cache.ts'
import type { Handlers } from './handler.ts'
import { prepareWords } from '../search/words-by-id.ts'
import { FileCache } from '../serve/file-cache.ts'
import { prepareSentences } from '../sentences/answer.ts'
import { prepareChanges } from '../serve/changes.ts'
import { prepareClipFile } from '../serve/clip.ts'
import { prepareClips } from '../serve/clips.ts'
import { prepareCorpus } from '../serve/corpus.ts'
import { prepareOpenApi } from '../serve/openapi.ts'
import { answerUsage } from '../serve/usage.ts'
import { prepareWord } from '../serve/word.ts'
import { prepareWordClips } from '../serve/word-clips.ts'

/** The handlers of all operations. */
export function createHandlers(caches: CacheCounts): Handlers {
  const files = new FileCache(caches.files)
  const newAnswers = () => new AnswerCache(caches.answers)
  return {
    getFeed: { from: 'release', prepare: prepareFeed(newAnswers()) },
    listClips: { from: 'release', prepare: prepareClips(newAnswers()) },
    getClip: { from: 'release', prepare: prepareClipFile((clips, row) => clips.recordFile(row), files) },
    getTranscript: {
      from: 'release',
      prepare: prepareClipFile((clips, row) => clips.transcriptFile(row), files),
    },
    listWords: { from: 'release', prepare: prepareWords(newAnswers()) },
    getWord: { from: 'release', prepare: prepareWord(newAnswers()) },
    listWordClips: { from: 'release', prepare: prepareWordClips(newAnswers(), files) },
    searchSentences: { from: 'release', prepare: prepareSentences(newAnswers()) },
    getCorpus: { from: 'release', prepare: prepareCorpus },
    getChanges: { from: 'release', prepare: prepareChanges(newAnswers()) },
    getUsage: { from: 'quota', answer: answerUsage },
    getOpenApi: { from: 'itself', answer: prepareOpenApi() },
  }
}
