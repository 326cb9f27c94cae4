import { closeSync, openSync } from 'node:fs'

/**
 * Listens for SIGHUP. It asks a service to reload; but a terminal that is closed sends it, too, to
 * every process that it runs: `terminalClosed` resolves then, with the reason.
 */
export function watchHangups() {
  const hadTerminal = hasTerminal()
  const { promise: terminalClosed, resolve } = Promise.withResolvers<string>()
  /** `reload` does nothing until it is set. */
  const hangups = { reload() {}, terminalClosed }
  process.on('SIGHUP', () => {
    if (hadTerminal && !hasTerminal()) resolve('the terminal was closed')
    else hangups.reload()
  })
  return hangups
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch {
    return false
  }
}
