import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fastGlob from 'fast-glob'
import { root } from './site-service.ts'

const source = join(root, 'src', 'client')

/** Installs the client for the programs in a folder, as npm would. */
export function installClient(folder: string): void {
  const target = join(folder, 'node_modules', 'clip-lookup-client')
  mkdirSync(target, { recursive: true })
  copyFileSync(join(source, 'package.json'), join(target, 'package.json'))
  cpSync(buildClient(), join(target, 'dist'), { recursive: true })
}

/** Builds the client once for all test files, until a source changes. Returns its folder. */
function buildClient(): string {
  const inputs = ['package-lock.json', 'src/{client,contract,kit,language}/**/*.{ts,mjs,json,css,html}']
  const digest = createHash('sha256')
  for (const file of fastGlob.sync(inputs, { cwd: root }).sort())
    digest.update(`${file}\0`).update(readFileSync(join(root, file)))
  const place = join(root, 'node_modules', '.clip-lookup-test', `client-${digest.digest('hex').slice(0, 16)}`)
  if (existsSync(place)) return place
  const aside = `${place}-${process.pid}`
  execFileSync(process.execPath, [join(source, 'build.mjs'), aside])
  // Another test file may have built it meanwhile.
  if (existsSync(place)) rmSync(aside, { recursive: true })
  else renameSync(aside, place)
  return place
}
