import { execFile } from 'node:child_process'

/**
 * Tells systemd when a service of `Type=notify` is ready, when it stops, and, twice in each
 * watchdog period, that it is alive, as long as `isAlive` returns true (sd_notify(3)). Does nothing
 * if systemd did not start this process.
 */
export function systemdNotifier(env: NodeJS.ProcessEnv, isAlive: () => Promise<boolean>) {
  const notify = (state: string) => {
    // Node has no Unix datagram sockets, so the program that comes with systemd sends the message.
    if (env.NOTIFY_SOCKET) execFile('systemd-notify', [`--pid=${process.pid}`, state], { env }, () => {})
  }
  const watchdogMs = env.NOTIFY_SOCKET ? Number(env.WATCHDOG_USEC ?? 0) / 1000 : 0
  let watching: NodeJS.Timeout | undefined
  return {
    ready() {
      notify('READY=1')
      if (!(watchdogMs > 0)) return
      const check = async () => (await isAlive()) && notify('WATCHDOG=1')
      watching = setInterval(() => void check(), watchdogMs / 2).unref()
    },
    stopping() {
      clearInterval(watching)
      notify('STOPPING=1')
    },
  }
}
