import { enableCompileCache } from 'node:module'

// Before anything else is loaded, so that the next start finds all modules compiled.
enableCompileCache()

// The reader of the output may stop early: `clip-lookup keys list | head -1`.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit()
    throw error
  })

const { runProgram } = await import('./program.ts')
const { commands } = await import('./commands.ts')
const { argv, env, stdin, stdout, stderr } = process
process.exitCode = await runProgram(argv.slice(2), { env, stdin, stdout, stderr, commands })
