import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { hash } from 'node:crypto'
import type { PublishTarget } from './target.ts'

/** The maximum number of keys in one request to delete. */
const keysPerDelete = 1000

/**
 * A bucket of an S3-compatible store. Region, credentials and `AWS_ENDPOINT_URL` are read like in
 * every AWS tool. A store with its own address is addressed by path, because few have a host name
 * for each bucket.
 */
export function s3Target(bucket: string, prefix: string, endpoint: string | undefined): PublishTarget {
  const client = new S3Client({
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    // Not every store supports checksums that it does not require.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  const place = (path: string) => ({ Bucket: bucket, Key: prefix + path })
  return {
    location: `s3://${bucket}/${prefix}`,
    // An interrupted upload leaves nothing.
    async begin() {},
    async read(path) {
      const response = await orNull(client.send(new GetObjectCommand(place(path))))
      return response ? await response.Body!.transformToByteArray() : null
    },
    async compare(path, bytes) {
      const response = await orNull(client.send(new HeadObjectCommand(place(path))))
      if (!response) return 'missing'
      if (response.ContentLength !== bytes.length) return 'other'
      const digest = response.Metadata?.sha256
      if (digest !== undefined) return digest === hash('sha256', bytes) ? 'same' : 'other'
      // Written by another tool.
      const there = await this.read(path)
      return there && Buffer.compare(there, bytes) === 0 ? 'same' : 'other'
    },
    async write(path, bytes, { contentType, cacheControl }) {
      const headers = { ContentType: contentType, CacheControl: cacheControl }
      const Metadata = { sha256: hash('sha256', bytes) }
      await client.send(new PutObjectCommand({ ...place(path), Body: bytes, Metadata, ...headers }))
    },
    async delete(paths) {
      for (let from = 0; from < paths.length; from += keysPerDelete) {
        const objects = paths.slice(from, from + keysPerDelete).map((path) => ({ Key: prefix + path }))
        const request = { Bucket: bucket, Delete: { Objects: objects, Quiet: true } }
        const { Errors: [fault] = [] } = await client.send(new DeleteObjectsCommand(request))
        if (fault) throw new Error(`cannot delete "${fault.Key}": ${fault.Message}`)
      }
    },
    async [Symbol.asyncDispose]() {
      await Promise.resolve(client.destroy())
    },
  }
}

async function orNull<T>(response: Promise<T>): Promise<T | null> {
  return await response.catch((error: { $metadata?: { httpStatusCode?: number } }) => {
    if (error.$metadata?.httpStatusCode === 404) return null
    throw error as unknown as Error
  })
}
