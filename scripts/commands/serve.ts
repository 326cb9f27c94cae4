import { availableParallelism } from 'node:os'
import type { Command } from '../command-line.ts'
import { serve } from '../serve/lifecycle.ts'
import { defaultData } from '../serve/settings.ts'
import { storeOptions } from './store-options.ts'
import { originOptions } from './tree-options.ts'

export const serveTree: Command = {
  options: {
    data: {
      value: 'DIR|URL',
      description: 'the published tree: a folder, or the URL of an origin that serves the tree',
      default: defaultData,
    },
    ...storeOptions,
    'init-store': {
      description: 'create a store if Redis has none; without this option, the service waits for a store',
    },
    durability: {
      value: 'WHAT',
      description:
        'process: counts survive a crash; power: counts also survive a power failure, but requests take longer',
      default: 'process',
    },
    host: { value: 'H', description: 'address to listen on', default: '127.0.0.1' },
    port: { value: 'N', description: 'port to listen on; 0 to use any free port', default: '8080' },
    'reuse-port': {
      description:
        'share the port with another service that uses this option, to replace it without downtime',
    },
    workers: {
      value: 'N',
      description: 'number of processes, which share the port and the counters',
      default: String(availableParallelism()),
      shownDefault: 'the number of CPU cores',
    },
    'public-per-minute': {
      value: 'N',
      description: 'maximum number of requests per minute without a key from one address',
      default: '600',
    },
    'trust-proxy': {
      value: 'LIST',
      description: 'comma-separated addresses and networks whose X-Forwarded-For header is trusted',
    },
    signup: { description: 'let anyone create an account with a trial key on the page /signup/' },
    'signup-per-day': {
      value: 'N',
      description:
        'with --signup: maximum number of attempted sign-ups per day from one address, IPv6 /64 or IPv6 /48',
      default: '5',
    },
    'signup-total-per-day': {
      value: 'N',
      description: 'with --signup: maximum number of attempted sign-ups per day from all clients together',
      default: '500',
    },
    ...originOptions,
    'admin-port': {
      value: 'N',
      description: 'port of a separate listener for /livez, /readyz and /metrics; 0 to use any free port',
    },
    'admin-token': {
      value: 'TOKEN',
      description:
        'bearer token that enables the admin API on the admin listener; safer to set in the environment',
    },
    'admin-host': { value: 'H', description: 'address of the admin listener', default: '127.0.0.1' },
    'access-log': {
      value: 'FILE',
      description: 'log each request as a line of JSON to this file, or to standard output if FILE is -',
    },
    'data-cache': {
      value: 'DIR',
      description: 'with --data over HTTP: folder for caching the files that are read at startup',
      default: 'var/origin',
    },
    'data-interval': {
      value: 'SECONDS',
      description: 'with --data over HTTP: how often to check for a new release',
      default: '10',
    },
    site: {
      value: 'URL',
      description: 'a server to fetch the site from, instead of the site in the tree',
    },
    'log-level': {
      value: 'LEVEL',
      description: 'fatal, error, warn, info, debug or silent',
      default: 'info',
    },
  },
  run: serve,
}
