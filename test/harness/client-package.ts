import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './site-service.ts'

/** Installs the client for the programs in a folder, as npm would. */
export function installClient(folder: string): void {
  const source = join(root, 'src', 'client')
  const target = join(folder, 'node_modules', 'clip-lookup-client')
  mkdirSync(target, { recursive: true })
  copyFileSync(join(source, 'package.json'), join(target, 'package.json'))
  execFileSync(process.execPath, [join(source, 'build.mjs'), join(target, 'dist')])
}
