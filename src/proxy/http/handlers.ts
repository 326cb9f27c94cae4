import { prepareFeed } from '../feed/answer.ts'
import { Answers } from './answers.ts'
import type { Handlers } from './handler.ts'
import { prepareSearch } from '../search/answer.ts'
import { Bodies } from '../serve/bodies.ts'
import { prepareClipFile } from '../serve/clip.ts'
import { prepareCorpus } from '../serve/corpus.ts'
import { prepareOpenApi } from '../serve/openapi.ts'
import { answerUsage } from '../serve/usage.ts'
import { prepareWordClips } from '../serve/word-clips.ts'

/** What answers each operation of the contract. */
export function createHandlers(): Handlers {
  const bodies = new Bodies()
  return {
    getFeed: { from: 'release', prepare: prepareFeed(new Answers()) },
    getClip: { from: 'release', prepare: prepareClipFile((clips, row) => clips.recordFile(row), bodies) },
    getTranscript: {
      from: 'release',
      prepare: prepareClipFile((clips, row) => clips.transcriptFile(row), bodies),
    },
    listWords: { from: 'release', prepare: prepareSearch(new Answers()) },
    listWordClips: { from: 'release', prepare: prepareWordClips(new Answers()) },
    getCorpus: { from: 'release', prepare: prepareCorpus },
    getUsage: { from: 'quota', answer: answerUsage },
    getOpenApi: { from: 'itself', answer: prepareOpenApi() },
  }
}
