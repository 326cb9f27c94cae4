import { resolve } from 'node:path'
import { folderTarget } from '#tree/publish/folder-target.ts'
import { publish } from '#tree/publish/publish.ts'
import type { PublishTarget } from '#tree/publish/target.ts'
import { Failure, positionals, UsageError, type Command, type Input } from '../command-line.ts'
import { onTree, treeOptions } from './tree-options.ts'

export const publishTree: Command = {
  details:
    'TARGET is a folder, or s3://bucket/prefix of a store that speaks S3: region, credentials and AWS_ENDPOINT_URL come from the environment, as for every AWS tool.',
  options: {
    ...treeOptions,
    to: { value: 'TARGET', description: 'where the tree is published to', required: true },
    delete: { description: 'delete there what prune has deleted here' },
    gzip: { description: 'to a folder: write a .gz beside every text, for servers that send it' },
  },
  async run(input) {
    positionals(input)
    const outFolder = input.path(input.values.out!)
    const target = await targetOf(input, outFolder)
    const published = await onTree(input, () => publishTo(input, outFolder, target))
    const { release, written, present, deleted } = published
    const kept = present > 0 ? `, ${present} were there already` : ''
    const gone = input.switches.delete ? `, ${deleted} deleted` : ''
    input.print(published, `published ${release} to ${target.location}: ${written} files${kept}${gone}`)
  },
}

async function publishTo(input: Input, outFolder: string, target: PublishTarget) {
  try {
    return await publish({
      outFolder,
      target,
      isDeleting: input.switches.delete!,
      onProgress: (done, of) => input.progress(`publishing ${done} of ${of} files`),
    })
  } catch (error) {
    // The client of the store gives its faults names of their own.
    if ('$metadata' in (error as object))
      throw new Failure(`cannot publish to ${target.location}: ${(error as Error).message}`, { cause: error })
    throw error
  } finally {
    input.progress('')
  }
}

async function targetOf(input: Input, outFolder: string): Promise<PublishTarget> {
  const to = input.values.to!
  const s3 = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(to)
  if (s3) {
    if (input.switches.gzip) throw new UsageError('--gzip is for folders: a store sends an object as it is')
    const { s3Target } = await import('#tree/publish/s3-target.ts')
    const prefix = (s3[2] ?? '').replace(/\/*$/, '/').replace(/^\/+/, '')
    const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = input.env
    return s3Target(s3[1]!, prefix, AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL)
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(to))
    throw new UsageError(`--to must be a folder or s3://bucket/prefix, got "${to}"`)
  const folder = input.path(to)
  if (`${resolve(folder)}/`.startsWith(`${resolve(outFolder)}/`))
    throw new UsageError('--to must not lie in the tree that is published')
  return folderTarget(folder, input.switches.gzip!)
}
