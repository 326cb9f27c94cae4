import { expect, test } from 'vitest'
import { SudachiThread } from '#language/analysers/sudachi-client.ts'

test('reports that the thread that analyses Japanese has ended, because its clients would wait for ever', async () => {
  const { promise, resolve } = Promise.withResolvers<Error>()
  const thread = new SudachiThread(resolve)
  // This is not a request, so the thread fails.
  thread.connect().postMessage(null)
  expect(await promise).toBeInstanceOf(TypeError)
  await thread.end()
})
