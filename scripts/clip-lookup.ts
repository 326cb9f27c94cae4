import { enableCompileCache } from 'node:module'

// Before anything else is loaded: what was compiled once need not be compiled by the next start.
enableCompileCache()

// Whoever reads the output may stop reading: `clip-lookup keys list | head -1`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })

const { runProgram } = await import('./program.ts')
const { commands } = await import('./commands.ts')
const { argv, env, stdout, stderr } = process
process.exitCode = await runProgram(argv.slice(2), { env, stdout, stderr, commands })
