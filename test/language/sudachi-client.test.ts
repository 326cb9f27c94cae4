import { expect, test } from 'vitest'
import { SudachiThread } from '#language/analysers/sudachi-client.ts'

test('the end of the thread that analyses Japanese is reported: its clients would wait for ever', async () => {
  const { promise, resolve } = Promise.withResolvers<Error>()
  const thread = new SudachiThread(resolve)
  // No request, so the thread fails.
  thread.connect().postMessage(null)
  expect(await promise).toBeInstanceOf(TypeError)
  await thread.end()
})
