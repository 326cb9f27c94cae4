import { parentPort, type MessagePort } from 'node:worker_threads'
import { openJapanese } from './japanese.ts'

/**
 * The thread that owns the dictionary of Sudachi. `SudachiThread` runs it. The first request opens
 * the dictionary.
 */

parentPort!.on('message', (client: MessagePort) => {
  // The texts of a clip, and the memory in which the client waits for the answer.
  client.on('message', ({ texts, answered }: { texts: readonly string[]; answered: Int32Array }) => {
    client.postMessage(answerTo(texts))
    Atomics.store(answered, 0, 1)
    Atomics.notify(answered, 0)
  })
})

function answerTo(texts: readonly string[]) {
  try {
    return { words: openJapanese().analyse(texts) }
  } catch (error) {
    return { error: (error as Error).message }
  }
}
