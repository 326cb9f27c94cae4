import packageInfo from '../../package.json' with { type: 'json' }
import { CachedClipLookup } from '#client/cache/cached-clip-lookup.ts'
import { ClipLookup } from '#client/clip-lookup.ts'
import { createServer } from '../mcp/server.ts'
import { Failure, webAddress, type Input } from '../command-line.ts'

const sdkPackage = '@modelcontextprotocol/sdk'

/** Serves until the input ends, or until a signal. */
async function mcp(input: Input): Promise<void> {
  const key = input.env.CLIP_LOOKUP_KEY
  if (!key) throw new Failure('there is no API key. Set the environment variable CLIP_LOOKUP_KEY to your key')
  const baseUrl = apiAddress(webAddress('api', input.values.api!))
  const { StdioServerTransport, ...sdk } = await loadSdk()
  // Standard output is reserved for the protocol.
  const client = new CachedClipLookup(new ClipLookup({ baseUrl, key, warn: input.say }))
  const server = createServer(client, packageInfo.version, sdk)
  const ending = Promise.withResolvers<void>()
  process.stdin.once('end', ending.resolve).once('close', ending.resolve)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.resolve())
  await server.connect(new StdioServerTransport())
  input.say(`serving tools for ${baseUrl} on standard input and output`)
  await ending.promise
  await server.close()
  // A call may still wait for its response.
  process.exit(0)
}

/** Returns the base of all paths; `https://clips.example` means `https://clips.example/v1`. */
function apiAddress(address: string): string {
  const base = address.replace(/\/+$/, '')
  return /\/v\d+$/.test(base) ? base : `${base}/v1`
}

async function loadSdk() {
  try {
    const { McpServer, ResourceTemplate } = await import('@modelcontextprotocol/sdk/server/mcp.js')
    const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js')
    return { McpServer, ResourceTemplate, StdioServerTransport }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    const version = packageInfo.optionalDependencies[sdkPackage]
    throw new Failure(
      `this command needs the package ${sdkPackage}. Install it with "npm install ${sdkPackage}@${version}"`,
    )
  }
}

export const commands = { mcp }
