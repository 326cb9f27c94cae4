// Writes a deck for Anki: node anki-export.mjs 'look after' run > deck.txt
// CLIP_LOOKUP_GLOSS is the language of meanings and translations.
const { CLIP_LOOKUP_URL: service = 'http://127.0.0.1:8080', CLIP_LOOKUP_KEY: key } = process.env
const { CLIP_LOOKUP_LANGUAGE: language = 'en', CLIP_LOOKUP_GLOSS: gloss = 'en' } = process.env

const escape = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replace(/\s+/g, ' ')

console.log('#separator:tab\n#html:true\n#columns:Sentence\tMeaning\tTranslation\tSource')
for (const text of process.argv.slice(2)) {
  const query = new URLSearchParams({ language, gloss, context: 'true', limit: '3' })
  const url = `${service}/v1/words/${encodeURIComponent(text)}/clips?${query}`
  const response = await fetch(url, { headers: { Authorization: `Bearer ${key}` } })
  const body = await response.json()
  if (!response.ok) {
    console.error(`${text}: ${body.error.message}`)
    process.exitCode = 1
    continue
  }
  for (const { clip, occurrences } of body.items) {
    const { sentence, tStart } = occurrences[0]
    const letters = [...sentence.text] // start and end count code points
    const part = (from, to) => escape(letters.slice(from, to).join(''))
    const { start, end } = sentence
    const front = `${part(0, start)}<b>${part(start, end)}</b>${part(end)}`
    const meaning = `${escape(body.word.word)}: ${escape(body.word.meaning)}`
    const source = `<a href="${escape(clip.watchUrl)}&amp;t=${Math.floor(tStart)}s">${escape(clip.title)}</a>, ${escape(clip.channel.name)}`
    console.log([front, meaning, escape(sentence.translation ?? ''), source].join('\t'))
  }
}
