import { expect, test } from 'vitest'
import { toSentence } from '#kit/to-sentence.ts'

test.each([
  ['the store is empty', 'The store is empty.'],
  ['there is no plan "gold". The plans are trial', 'There is no plan "gold". The plans are trial.'],
  ['--port needs a value', '--port needs a value.'],
  ['durationS must not be negative', 'durationS must not be negative.'],
  ['talk.srt is empty', 'talk.srt is empty.'],
  ['Did you mean "build"?', 'Did you mean "build"?'],
])('makes %j a sentence', (message, sentence) => expect(toSentence(message)).toBe(sentence))
