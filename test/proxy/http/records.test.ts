import { expect, test } from 'vitest'
import { sharedSmallService } from '../small-service.ts'

const service = sharedSmallService()

test('the clips of a word start with the easiest, and say where it occurs', async () => {
  const { json } = await service.get('/words/look%20after/clips', { key: service.key })
  expect(json.totalCount).toBe(2)
  const videoIds = json.items.map(({ clip }: { clip: { videoId: string } }) => clip.videoId)
  expect(videoIds).toEqual(['cat-sitter', 'watchmaker'])
  const forms = json.items[0].occurrences.map(({ form }: { form: string }) => form)
  expect(forms).toEqual(['looking after', 'look after'])
  expect(json.items[1].occurrences[0].text).toBe('The cat looks after the shop.')
})
