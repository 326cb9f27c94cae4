import { join } from 'node:path'
import { build } from 'esbuild'

/** Writes the player as one module without dependencies, for the pages of others. */
export async function bundlePlayer(root: string, file: string): Promise<void> {
  await build({
    entryPoints: [join(root, 'src/client/player/clip-player.ts')],
    outfile: file,
    bundle: true,
    minify: true,
    format: 'esm',
    // Nothing of the tree around the project has a say in it.
    tsconfigRaw: {},
    logLevel: 'silent',
  })
}
