import {
  request as httpRequest,
  type Agent,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
} from 'node:http'
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { checkAgainstOpenApi } from './openapi-check.ts'

export interface RequestOptions {
  method?: string
  /** The key, sent as the bearer credential. */
  key?: string
  headers?: OutgoingHttpHeaders
  agent?: Agent
  /** Ends the request. */
  signal?: AbortSignal
  /** Whether to check the response against the OpenAPI document; true by default. */
  isChecked?: boolean
}

export interface HttpAnswer {
  status: number
  headers: IncomingHttpHeaders
  /** The bytes as sent, before decoding. */
  raw: Buffer
  text: string
  /** The parsed body, if it is JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any
  json: any
}

const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
}

/** Decodes a body with a `Content-Encoding`. The body of a response to HEAD is empty. */
export function decodeBody(coding: string | undefined, bytes: Buffer): Buffer {
  return coding !== undefined && bytes.length > 0 ? decoders[coding]!(bytes) : bytes
}

/** Sends a request exactly as written, and checks its response against the OpenAPI document. */
export function send(
  origin: string,
  target: string,
  { method = 'GET', key, headers = {}, agent, signal, isChecked = true }: RequestOptions = {},
): Promise<HttpAnswer> {
  const { hostname, port } = new URL(origin)
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  return new Promise((resolve, reject) => {
    const req = httpRequest(
      { hostname, port, path: target, method, agent, signal, headers: { ...authorization, ...headers } },
      (res) => {
        const chunks: Buffer[] = []
        res.on('data', (chunk: Buffer) => chunks.push(chunk))
        res.on('error', reject)
        res.on('end', () => {
          try {
            const raw = Buffer.concat(chunks)
            const text = decodeBody(res.headers['content-encoding'], raw).toString('utf8')
            const answer: HttpAnswer = {
              status: res.statusCode!,
              headers: res.headers,
              raw,
              text,
              json:
                res.headers['content-type']?.includes('json') && text !== '' ? JSON.parse(text) : undefined,
            }
            if (isChecked) checkAgainstOpenApi(method, target, answer)
            resolve(answer)
          } catch (error) {
            reject(error as Error)
          }
        })
      },
    )
    req.on('error', reject)
    req.end()
  })
}
