// Looks up words for the pages. The address is that of your server, which adds the key.
import { ClipLookup } from './clip-lookup-client/clip-lookup.js'
import { findClips, watchUrlAt } from './clip-lookup-client/helpers/entry.js'

const client = new ClipLookup({ baseUrl: 'http://127.0.0.1:3000/api' })

chrome.runtime.onMessage.addListener((text, _, respond) => {
  lookUp(text).then(respond, (error) => respond({ title: error.message, links: [] }))
  // The response comes later.
  return true
})

async function lookUp(text) {
  const { word, items } = await findClips(client, text, { limit: 3 })
  const links = items.map(({ clip, moments: [moment] }) => {
    return { text: moment.text, address: watchUrlAt(clip, moment.tStart) }
  })
  return { title: word ? `${word.word} (${word.level}): ${word.meaning}` : `“${text}”`, links }
}
