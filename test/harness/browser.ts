import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright'

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The browser of this machine, installed if need be and if we may; undefined: there is none. */
export const browserProgram = programs.find(existsSync) ?? install()

if (!browserProgram) process.stderr.write('no Chromium here: the tests in a browser are skipped\n')

/** Starts it, asking nobody for anything on its own. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserProgram!,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Once, as root on Debian, with a font for Japanese and Chinese. */
function install(): string | undefined {
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).status !== 0) return undefined
  process.stderr.write('installing chromium for the tests of the site\n')
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], {
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      stdio: 'ignore',
    })
  const installBoth = () => apt('install', '-y', '--no-install-recommends', 'chromium', 'fonts-noto-cjk')
  try {
    try {
      installBoth()
    } catch {
      apt('update')
      installBoth()
    }
  } catch {
    return undefined
  }
  return programs.find(existsSync)
}
