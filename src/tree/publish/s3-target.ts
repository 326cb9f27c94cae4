import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { hash } from 'node:crypto'
import type { FileHeaders, PublishTarget } from './target.ts'

const keysPerDelete = 1000

/** A bucket of an S3-compatible store. */
export class S3Target implements PublishTarget {
  readonly location: string
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  /**
   * Region, credentials and `AWS_ENDPOINT_URL` are read like in every AWS tool. A store with its
   * own address is addressed by path, because few have a host name for each bucket.
   */
  constructor(bucket: string, prefix: string, endpoint: string | undefined) {
    this.location = `s3://${bucket}/${prefix}`
    this.#bucket = bucket
    this.#prefix = prefix
    this.#client = new S3Client({
      ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
      // Not every store supports checksums that it does not require.
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    })
  }

  /** An interrupted upload leaves nothing. */
  async begin(): Promise<void> {}

  async read(path: string): Promise<Uint8Array | null> {
    const response = await orNull(this.#client.send(new GetObjectCommand(this.#place(path))))
    return response ? await response.Body!.transformToByteArray() : null
  }

  async compare(path: string, bytes: Uint8Array): Promise<'same' | 'other' | 'missing'> {
    const response = await orNull(this.#client.send(new HeadObjectCommand(this.#place(path))))
    if (!response) return 'missing'
    if (response.ContentLength !== bytes.length) return 'other'
    const digest = response.Metadata?.sha256
    if (digest !== undefined) return digest === hash('sha256', bytes) ? 'same' : 'other'
    // Written by another tool.
    const there = await this.read(path)
    return there && Buffer.compare(there, bytes) === 0 ? 'same' : 'other'
  }

  async write(path: string, bytes: Uint8Array, { contentType, cacheControl }: FileHeaders): Promise<void> {
    const headers = { ContentType: contentType, CacheControl: cacheControl }
    const Metadata = { sha256: hash('sha256', bytes) }
    await this.#client.send(new PutObjectCommand({ ...this.#place(path), Body: bytes, Metadata, ...headers }))
  }

  /** A response means that the object is stored. */
  async sync(): Promise<void> {}

  async delete(paths: readonly string[]): Promise<void> {
    for (let from = 0; from < paths.length; from += keysPerDelete) {
      const batch = paths.slice(from, from + keysPerDelete)
      const Objects = batch.map((path) => ({ Key: this.#prefix + path }))
      const request = { Bucket: this.#bucket, Delete: { Objects, Quiet: true } }
      const { Errors: [fault] = [] } = await this.#client.send(new DeleteObjectsCommand(request))
      if (fault) throw new Error(`cannot delete "${fault.Key}": ${fault.Message}`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.resolve(this.#client.destroy())
  }

  #place(path: string) {
    return { Bucket: this.#bucket, Key: this.#prefix + path }
  }
}

async function orNull<T>(response: Promise<T>): Promise<T | null> {
  return await response.catch((error: { $metadata?: { httpStatusCode?: number } }) => {
    if (error.$metadata?.httpStatusCode === 404) return null
    throw error as unknown as Error
  })
}
