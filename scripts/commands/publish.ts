import { countText } from '#kit/count-text.ts'
import { FolderTarget } from '#tree/publish/folder-target.ts'
import { publish } from '#tree/publish/publish.ts'
import type { PublishTarget } from '#tree/publish/target.ts'
import { Failure, isAddress, UsageError, type Input } from '../command-line.ts'

async function publishTree(input: Input): Promise<void> {
  const { delete: isDeleting, repair, 'replace-tree': isReplacingTree } = input.switches
  const outFolder = input.path(input.values.out!)
  const target = await targetOf(input, outFolder)
  const publication = await publish({
    outFolder,
    target,
    isDeleting: isDeleting!,
    isRepairing: repair!,
    isReplacingTree: isReplacingTree!,
    onProgress: (doneCount, of) => input.progress(`publishing ${doneCount} of ${of} files`),
  })
    .catch((error: Error) => {
      const what = explainStoreFault(error)
      if (what === null) throw error
      throw new Failure(`cannot publish to ${target.location}: ${what}`, { cause: error })
    })
    .finally(() => input.progress(''))
  const { release, written, present, deleted } = publication
  const presentNote = present > 0 ? `, ${present} already there` : ''
  const deletionNote = isDeleting ? `, ${deleted} deleted` : ''
  input.print(
    publication,
    `published ${release} to ${target.location}: ${countText(written, 'file')}${presentNote}${deletionNote}`,
  )
}

/** Explains a fault of the client of an object store; null for any other fault. */
function explainStoreFault(error: Error): string | null {
  if (error.name === 'CredentialsProviderError')
    return 'no credentials were found. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE'
  if (error.message === 'Region is missing') return 'no region was found. Set AWS_REGION'
  return '$metadata' in error ? error.message || error.name : null
}

async function targetOf(input: Input, outFolder: string): Promise<PublishTarget> {
  const to = input.values.to!
  const s3 = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(to)
  if (s3) {
    if (/[:@]/.test(s3[1]!))
      throw new UsageError(
        `--to must not contain credentials. Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY instead`,
      )
    if (input.switches.gzip)
      throw new UsageError('--gzip works only with folders, because an object store sends objects unchanged')
    const { S3Target } = await import('#tree/publish/s3-target.ts')
    const prefix = (s3[2] ?? '').replace(/\/*$/, '/').replace(/^\/+/, '')
    const { AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL } = input.env
    return new S3Target(s3[1]!, prefix, AWS_ENDPOINT_URL_S3 || AWS_ENDPOINT_URL)
  }
  if (isAddress(to)) throw new UsageError(`--to must be a folder or s3://bucket/prefix, but it is "${to}"`)
  const folder = input.path(to)
  if (`${folder}/`.startsWith(`${outFolder}/`))
    throw new UsageError('--to must be outside the published tree')
  return new FolderTarget(folder, input.switches.gzip!)
}

export const commands = { publish: publishTree }
