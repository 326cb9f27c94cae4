import { expect, test } from 'vitest'
import {
  clipPath,
  corpusPath,
  releaseId,
  releasePath,
  transcriptPath,
  wordClipsPath,
} from '#release/paths.ts'

test('names under data/ match the contract', () => {
  expect(clipPath('c', 1)).toBe('data/clips/c.json')
  expect(clipPath('c', 2)).toBe('data/clips/c.2.json')
  expect(transcriptPath('c', 1)).toBe('data/transcripts/c.json')
  expect(transcriptPath('c', 3)).toBe('data/transcripts/c.3.json')
  expect(wordClipsPath('en', 12, 'abc')).toBe('data/words/en/12.abc.json')
  expect(corpusPath('abc')).toBe('data/corpus.abc.json')
})

test('names a release by number and content, so that names sort by age', () => {
  expect(releaseId(7, '0123456789abcdef')).toBe('000007-01234567')
  expect(releasePath('000007-01234567', 'manifest.json')).toBe('releases/000007-01234567/manifest.json')
})
