/**
 * A server of the Model Context Protocol (https://modelcontextprotocol.io) for one client of the
 * API. Its tools are made for tasks of learners, not one for each operation, and they answer with
 * compact text: a language model pays for every token.
 */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { levels } from '#contract/levels.ts'
import type { CallOptions } from '#client/call-options.ts'
import type { Operations } from '#client/operations.ts'
import { toolArguments } from './arguments.ts'
import { toClipId } from './clip-id.ts'
import { joinLines } from './clip-text.ts'
import { explainError } from './explain-error.ts'
import { findClipsText } from './find-clips.ts'
import { lookUpWordsText } from './look-up-words.ts'
import { makeFlashcardsText } from './make-flashcards.ts'
import { NextClips } from './next-clip.ts'
import { readClipText, transcriptText } from './read-clip.ts'
import { showUsageText } from './show-usage.ts'

/** The classes of the SDK, which is an optional dependency. */
type Sdk = Pick<typeof import('@modelcontextprotocol/sdk/server/mcp.js'), 'McpServer' | 'ResourceTemplate'>

function createTools() {
  const nextClips = new NextClips()
  return {
    find_clips: {
      description:
        'Find video clips in which a word (any form) or phrase is said, or the clip of a video URL or id',
      run: findClipsText,
    },
    read_clip: {
      description: 'Read what is said in a clip, with times and the meanings of unknown words',
      run: readClipText,
    },
    next_clip: {
      description: 'Get another clip for a learner, with one word to learn from it',
      run: nextClips.text.bind(nextClips),
    },
    look_up_words: { description: 'Look up words with levels and meanings', run: lookUpWordsText },
    make_flashcards: {
      description:
        'Make flashcards for words, each with a sentence from a clip. Takes 1 or 2 look-ups a word',
      run: makeFlashcardsText,
    },
    show_usage: { description: 'Show how many look-ups are left (free)', run: showUsageText },
  } satisfies Record<keyof typeof toolArguments, Tool<never>>
}

interface Tool<Arguments> {
  description: string
  run(client: Operations, input: Arguments, options: CallOptions): Promise<string>
}

const instructions =
  'Short videos for language learners, searchable by what is said in them. Levels are CEFR. When you quote a line, give the link to its clip.'

/** Creates the server. Connect it to a transport to start it. */
export function createServer(client: Operations, version: string, sdk: Sdk): McpServer {
  const server = new sdk.McpServer({ name: 'clip-lookup', version }, { instructions })
  const tools = Object.entries(createTools()) as [keyof typeof toolArguments, Tool<object>][]
  for (const [name, { description, run }] of tools) {
    // Strict, so that a misspelt argument is an error and not ignored.
    const inputSchema = z.strictObject(toolArguments[name])
    server.registerTool(
      name,
      { description, inputSchema, annotations: { readOnlyHint: true } },
      async (values: object, { signal }) =>
        answer(async () => {
          const text = await run(client, values, { signal })
          if (!('language' in toolArguments[name])) return text
          return joinLines(text, await languageNote(client, values, { signal }))
        }),
    )
  }
  addTranscripts(server, client, sdk)
  addPrompts(server)
  return server
}

/** Returns a note if the corpus lacks the language of a call. A model cannot know its languages. */
async function languageNote(
  client: Operations,
  { language = 'en' }: { language?: string },
  options: CallOptions,
): Promise<string | false> {
  const { languages } = await client.getCorpus({}, options)
  const codes = languages.map((each) => each.language)
  return (
    !codes.includes(language) && `The service has no clips in "${language}", only in ${codes.join(', ')}.`
  )
}

async function answer(run: () => Promise<string>): Promise<CallToolResult> {
  try {
    return { content: [{ type: 'text', text: await run() }] }
  } catch (error) {
    return { content: [{ type: 'text', text: explainError(error) }], isError: true }
  }
}

function addTranscripts(server: McpServer, client: Operations, { ResourceTemplate }: Sdk): void {
  server.registerResource(
    'transcript',
    new ResourceTemplate('clip-lookup://clips/{clipId}/transcript', { list: undefined }),
    { description: 'What is said in a clip, with times', mimeType: 'text/plain' },
    async ({ href }, { clipId }, { signal }) => {
      const id = toClipId(decodeURIComponent(String(clipId)))
      const transcript = await client.getTranscript({ clipId: id }, { signal }).catch((error: unknown) => {
        throw new Error(explainError(error), { cause: error })
      })
      return { contents: [{ uri: href, mimeType: 'text/plain', text: transcriptText(transcript) }] }
    },
  )
}

function addPrompts(server: McpServer): void {
  const message = (text: string) => ({
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  })
  server.registerPrompt(
    'explain_clip',
    {
      description: 'Explain a clip to a learner',
      argsSchema: { clip: z.string(), level: z.enum(levels).optional() },
    },
    ({ clip, level: learnerLevel }) =>
      message(
        `Read the clip ${clip} with read_clip${learnerLevel ? ` (known ["${learnerLevel}"])` : ''}. Explain it line by line to a learner${learnerLevel ? ` at level ${learnerLevel}` : ''}: what is said, the unknown words, and expressions that a dictionary would not explain. End with three questions about the clip.`,
      ),
  )
  server.registerPrompt(
    'practise_word',
    { description: 'Practise a word', argsSchema: { word: z.string(), language: z.string().optional() } },
    ({ word, language: code = 'en' }) =>
      message(
        `Find clips with find_clips (query "${word}", language ${code}). Show one sentence at a time with the word left out, and let me guess it. After each answer, show the sentence with its link and explain how the word is used there.`,
      ),
  )
}
