import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { listMessages, type ListedMessage } from '../../scripts/messages.ts'
import { countSentences } from '../harness/count-sentences.ts'
import { hasAllFaultRounds } from '../harness/fault-rounds.ts'

// Only in a full run, because the type checker reads the whole project.
describe.runIf(hasAllFaultRounds)('the list of messages', () => {
  let messages: ListedMessage[]
  beforeAll(() => void (messages = listMessages(fileURLToPath(new URL('../..', import.meta.url)))))

  test.each([
    ['of an error', 'scripts/commands/keys.ts', 'the command needs --account NAME'],
    ['of a schema', 'src/contract/parameters.ts', 'must be true or false'],
    ['of a problem of the corpus', 'src/corpus/problem.ts', 'is missing'],
    [
      'of an answer of the API',
      'src/proxy/feed/answer.ts',
      'level cannot be combined with known. Omit one of them.',
    ],
    [
      'with placeholders',
      'src/tree/releases.ts',
      'there is no release "{idOrNumber}" in "{outFolder}". {idList}',
    ],
    ['in a constant', 'src/corpus/read-texts.ts', 'this is not a regular file'],
  ])('has a message %s', (_, file, text) => {
    expect(messages).toContainEqual(expect.objectContaining({ file, text }))
  })

  test('has no message of more than two sentences', () => {
    expect(countSentences('"a. B. c" is a word. Add language=es. Or {x ? ` a. ` : y}.')).toBe(3)
    expect(messages.filter(({ text }) => countSentences(text) > 2)).toEqual([])
  })

  test('has no message in the style of a log or a compiler', () => {
    const terse = /^(missing|unknown|wanted|unexpected) |\b(got|wanted) ["$[{]|; did you mean|: wanted/
    expect(messages.filter(({ text }) => terse.test(text))).toEqual([])
  })
})
