import { get } from 'node:http'

/** An answer of ours as the bare server is to send it. */
export function captureAnswer(port: number, path: string, key: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers: { Authorization: `Bearer ${key}` } }, (res) => {
      const chunks: Buffer[] = []
      res.on('data', (chunk: Buffer) => chunks.push(chunk))
      res.on('end', () => {
        const names = res.rawHeaders.filter(
          (name, i) => i % 2 === 0 && !/^(date|connection|keep-alive)$/i.test(name),
        )
        const headers = Object.fromEntries(names.map((name) => [name, res.headers[name.toLowerCase()]]))
        resolve(
          JSON.stringify({ status: res.statusCode, headers, body: Buffer.concat(chunks).toString('base64') }),
        )
      })
    }).on('error', reject)
  })
}
