import packageInfo from '../../package.json' with { type: 'json' }
import type { Input } from '../command-line.ts'

async function version(input: Input): Promise<void> {
  input.print({ version: packageInfo.version, node: process.version }, packageInfo.version)
}

export const commands = { version }
