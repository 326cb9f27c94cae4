import { parentPort, type MessagePort } from 'node:worker_threads'
import { openJapanese } from './japanese.ts'
import type { AnalysisRequest } from './sudachi-client.ts'

/** The thread of Sudachi, run by `SudachiThread`. The first request opens the dictionary. */

parentPort!.on('message', (client: MessagePort) => {
  client.on('message', ({ texts, withReadings, answerFlag }: AnalysisRequest) => {
    client.postMessage(answerTo(texts, withReadings))
    Atomics.store(answerFlag, 0, 1)
    Atomics.notify(answerFlag, 0)
  })
})

function answerTo(texts: readonly string[], withReadings: boolean) {
  try {
    return { analyses: openJapanese().analyse(texts, withReadings) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
