import { parentPort } from 'node:worker_threads'

/** Answers the calls of a `SubjectThread`. */
export function serveSubjects<Subjects extends object>(subjects: Subjects): void {
  parentPort!.on('message', async ({ name, args }: { name: keyof Subjects; args: unknown[] }) => {
    try {
      const subject = subjects[name] as (...args: unknown[]) => unknown
      parentPort!.postMessage({ value: await subject(...args) })
    } catch (error) {
      parentPort!.postMessage({ error })
    }
  })
}
