import { execFile } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import fastGlob from 'fast-glob'
import * as tar from 'tar'

const clientFolder = fileURLToPath(new URL('../../client', import.meta.url))

/**
 * Writes the client libraries as packages, which `npm install` and `pip install` accept by their
 * addresses on the site. The same sources give the same bytes.
 *
 * @param aside a folder for intermediate files
 * @returns the folder with the files of the package for npm
 */
export async function writePackages(outFolder: string, aside: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(clientFolder, 'package.json'), 'utf8')) as {
    version: string
  }
  const jsFolder = join(aside, 'clip-lookup-client')
  await promisify(execFile)(process.execPath, [join(clientFolder, 'build.mjs'), join(jsFolder, 'dist')])
  for (const name of ['package.json', 'README.md', 'LICENSE'])
    await cp(join(clientFolder, name), join(jsFolder, name))
  await writeArchive(join(outFolder, `clip-lookup-client-${version}.tgz`), jsFolder, 'package')
  const pythonName = `clip_lookup_client-${version}`
  await writeArchive(join(outFolder, `${pythonName}.tar.gz`), join(clientFolder, 'python'), pythonName)
  return jsFolder
}

/** Writes the files of a folder as an archive that has them in another folder. */
async function writeArchive(file: string, folder: string, folderInArchive: string): Promise<void> {
  const names = await fastGlob('**', { cwd: folder, ignore: ['**/__pycache__/**'] })
  // The time that npm gives the files of a package. ZIP files, such as wheels, begin in 1980.
  const mtime = new Date('1985-10-26T08:15:00.000Z')
  const options = { file, cwd: folder, prefix: folderInArchive, mtime, gzip: { level: 9 }, portable: true }
  await tar.create(options, names.sort())
}
