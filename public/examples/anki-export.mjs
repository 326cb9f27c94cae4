// Writes a deck for Anki: node anki-export.mjs 'look after' run > deck.txt
const { CLIP_LOOKUP_URL: service = 'http://127.0.0.1:8080', CLIP_LOOKUP_KEY: key } = process.env

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/\s+/g, ' ')

console.log('#separator:tab\n#html:true\n#columns:Sentence\tMeaning\tSource')
for (const text of process.argv.slice(2)) {
  const url = `${service}/v1/words/${encodeURIComponent(text)}/clips?limit=3`
  const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
  const body = await response.json()
  if (!response.ok) throw new Error(body.error.message)
  for (const { clip, occurrences } of body.items) {
    const { tStart, text: line, form } = occurrences[0]
    const sentence = escape(line).replace(escape(form), (said) => `<b>${said}</b>`)
    const source = `<a href="${clip.watchUrl}&amp;t=${Math.floor(tStart)}s">${escape(clip.title)}</a>, ${escape(clip.channel.name)}`
    console.log([sentence, `${escape(body.word.word)}: ${escape(body.word.meaning)}`, source].join('\t'))
  }
}
