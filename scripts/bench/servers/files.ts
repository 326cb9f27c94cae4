/** An origin: `node:http` serving the files of the folder in the first argument. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const folder = process.argv[2]!
const server = createServer((req, res) => {
  readFile(join(folder, req.url!)).then(
    (bytes) => res.writeHead(200, { 'content-length': bytes.length }).end(bytes),
    () => res.writeHead(404).end(),
  )
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.stderr.write(`listening on http://127.0.0.1:${typeof address === 'object' ? address!.port : ''}\n`)
})
