import { expect, test } from 'vitest'
import { clipIdOf } from '#corpus/clip-id.ts'

test('without a clipId it is the UUIDv5 of the watch address in the URL namespace', () => {
  // python3 -c "import uuid; print(uuid.uuid5(uuid.NAMESPACE_URL,
  // 'https://www.youtube.com/watch?v=dQw4w9WgXcQ'))"
  expect(clipIdOf({ videoId: 'dQw4w9WgXcQ' })).toBe('fa678091-b771-53c5-bb5c-b97259498be6')
})

test('a clipId of the source is taken', () => {
  const clipId = '00000000-0000-4000-8000-000000000001'
  expect(clipIdOf({ videoId: 'v', clipId })).toBe(clipId)
})
