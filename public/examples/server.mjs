// Serves the pages of this folder, and sends their requests to the API with a key that no visitor sees.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'

const { CLIP_LOOKUP_URL = 'http://127.0.0.1:8080', CLIP_LOOKUP_KEY, PORT = 3000 } = process.env
// Pages can request only these paths, because every look-up counts towards your quota.
const allowed = /^\/api\/(feed|sentences|words(\/[^/]+(\/clips)?)?|clips(\/[^/]+(\/transcript)?)?)$/
const kept = new Map()
setInterval(() => kept.clear(), 3_600_000)

async function ask(path) {
  if (kept.has(path)) return kept.get(path)
  const headers = { authorization: `Bearer ${CLIP_LOOKUP_KEY}` }
  const response = await fetch(CLIP_LOOKUP_URL + path, { headers })
  const answer = [response.status, response.headers.get('content-type'), await response.text()]
  // Every feed is shuffled again. Everything else changes at most once a night.
  if (response.ok && !path.startsWith('/v1/feed')) kept.set(path, answer)
  return answer
}

async function answerTo({ pathname, search }) {
  const page = /^\/([\w-]+\.html)?$/.exec(pathname)
  if (page) return [200, 'text/html', await readFile(page[1] ?? 'word-page.html')]
  if (pathname === '/clip-player.js') return await ask(pathname)
  if (allowed.test(pathname)) return await ask(pathname.replace('/api', '/v1') + search)
  return [404, 'application/json', '{"error":{"message":"nothing here"}}']
}

createServer(async (req, res) => {
  const failed = (error) => [502, 'application/json', JSON.stringify({ error: { message: error.message } })]
  const [status, type, body] = await answerTo(new URL(req.url, 'http://own')).catch(failed)
  res.writeHead(status, { 'content-type': type }).end(body)
}).listen(PORT, '127.0.0.1', () => console.log(`open http://127.0.0.1:${PORT}/`))
