import packageInfo from '../../package.json' with { type: 'json' }
import type { Command } from '../command-line.ts'

export const version: Command = {
  options: {},
  async run(input) {
    input.print({ version: packageInfo.version, node: process.version }, packageInfo.version)
  },
}
