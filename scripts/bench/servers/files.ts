/** An origin: `node:http` serving the files of the folder in the first argument. */
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listen } from './listen.ts'

const folder = process.argv[2]!
listen(
  createServer((req, res) => {
    readFile(join(folder, req.url!)).then(
      (bytes) => res.writeHead(200, { 'content-length': bytes.length }).end(bytes),
      () => res.writeHead(404).end(),
    )
  }),
)
