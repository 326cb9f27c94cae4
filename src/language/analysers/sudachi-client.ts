import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import type { AnalysedWord, TextAnalyser } from './analyser.ts'

/** The one thread that analyses Japanese for all others: a dictionary takes 0.5 GB of memory. */
export class SudachiThread {
  readonly #worker = new Worker(new URL('./sudachi-thread.ts', import.meta.url))

  constructor() {
    this.#worker.unref()
  }

  /** Gives a port for one client, which is to be sent to the client's thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#worker.postMessage(port1, [port1])
    return port2
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

type Answer = { words: AnalysedWord[][] } | { error: string }

/** The Japanese analyser at the other end of a port. The calling thread waits for each answer. */
export function analyserBehind(port: MessagePort): TextAnalyser {
  const answered = new Int32Array(new SharedArrayBuffer(4))
  return {
    analyse(texts) {
      Atomics.store(answered, 0, 0)
      port.postMessage({ texts, answered })
      Atomics.wait(answered, 0, 0)
      const { message } = receiveMessageOnPort(port) as { message: Answer }
      if ('error' in message) throw new Error(`cannot analyse Japanese: ${message.error}`)
      return message.words
    },
  }
}
