import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import type { TextAnalyser, TextAnalysis } from './analyser.ts'

/** The thread that analyses Japanese for all others: a dictionary takes 0.5 GB of memory. */
export class SudachiThread {
  readonly #worker = new Worker(new URL('./sudachi-thread.ts', import.meta.url))

  /** `onEnd` gets the reason if the thread ends, because its clients would wait for ever. */
  constructor(onEnd: (reason: Error) => void) {
    this.#worker.unref()
    this.#worker.on('error', onEnd)
    this.#worker.on('exit', (code) =>
      onEnd(new Error(`the thread that analyses Japanese ended with code ${code}`)),
    )
  }

  /** Returns a port for one client, to be sent to the client's thread. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#worker.postMessage(port1, [port1])
    return port2
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }
}

export interface AnalysisRequest {
  texts: readonly string[]
  withReadings: boolean
  /** The memory through which the client waits for the answer. */
  answerFlag: Int32Array
}

type Answer = { analyses: TextAnalysis[] } | { error: string }

/** The Japanese analyser at the other end of a port. The calling thread waits for each answer. */
export function analyserBehind(port: MessagePort): TextAnalyser {
  const answerFlag = new Int32Array(new SharedArrayBuffer(4))
  return {
    analyse(texts, withReadings = false) {
      Atomics.store(answerFlag, 0, 0)
      const request: AnalysisRequest = { texts, withReadings, answerFlag }
      port.postMessage(request)
      Atomics.wait(answerFlag, 0, 0)
      const { message } = receiveMessageOnPort(port) as { message: Answer }
      if ('error' in message) throw new Error(`cannot analyse Japanese: ${message.error}`)
      return message.analyses
    },
  }
}
