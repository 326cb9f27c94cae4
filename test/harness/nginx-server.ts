import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether nginx is installed. */
export const isNginxHere = spawnSync('nginx', ['-v']).status === 0
if (!isNginxHere) process.stderr.write('no nginx here: the tests of its configuration are skipped\n')

export interface NginxServer {
  origin: string
  port: number
  pid: number
  /** Stops it immediately; it can be started again. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Stops it permanently. */
  end(): Promise<void>
}

const deployFolder = join(import.meta.dirname, '../../scripts/deploy/nginx')

/**
 * Starts nginx with a configuration of `scripts/deploy/nginx`, in which only paths and addresses
 * are replaced: `replacements`, keyed by the original text.
 */
export async function startNginx(
  name: 'tree.conf' | 'balancer.conf',
  port: number,
  replacements: Record<string, string>,
): Promise<NginxServer> {
  const folder = mkdtempSync(join(tmpdir(), 'clip-lookup-nginx-'))
  let text = readFileSync(join(deployFolder, name), 'utf8')
  for (const [from, to] of Object.entries({
    [listenOf(text)]: `listen 127.0.0.1:${port};`,
    ...replacements,
  })) {
    if (!text.includes(from)) throw new Error(`${name} has no "${from}"`)
    text = text.replace(from, to)
  }
  writeFileSync(join(folder, 'site.conf'), text)
  writeFileSync(join(folder, 'nginx.conf'), mainConfiguration(folder))
  let child: ChildProcess
  const start = async () => {
    child = spawn('nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder, '-e', 'stderr'], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let said = ''
    child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
    while (!(await accepts(port))) {
      if (child.exitCode !== null) throw new Error(`nginx did not start: ${said}`)
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
  }
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGTERM')
    await exited
  }
  await start()
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    get pid() {
      return child.pid!
    },
    start,
    stop,
    async end() {
      await stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const listenOf = (text: string): string => /listen \d+;/.exec(text)![0]

/** Returns the main part of an nginx.conf. It has one process, so that it can be stopped as one. */
function mainConfiguration(folder: string): string {
  const user = process.getuid!() === 0 ? 'user root;\n' : ''
  return `daemon off;
${user}worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  include ${folder}/site.conf;
}
`
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
