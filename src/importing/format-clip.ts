import type { SourceClip, SourceCue } from '#corpus/source-clip.ts'

/**
 * The text of a clip file: JSON with one cue per line, and its timed words below it, one per line.
 * The same clip gives the same bytes.
 */
export function formatClip(clip: SourceClip): string {
  const { cues, ...head } = clip
  const fields = Object.entries(head).map(([key, value]) => `  ${JSON.stringify(key)}: ${inline(value)},`)
  return ['{', ...fields, '  "cues": [', cues.map(renderCue).join(',\n'), '  ]', '}', ''].join('\n')
}

function renderCue({ words, ...cue }: SourceCue): string {
  const line = inline(cue)
  if (!words) return `    ${line}`
  const rows = words.map((word) => `      ${inline(word)}`).join(',\n')
  return `    ${line.slice(0, -2)}, "words": [\n${rows}\n    ] }`
}

/** A record of plain values on one line: `{ "id": "…", "name": "…" }`. */
function inline(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{ ${Object.entries(value)
    .map(([key, field]) => `${JSON.stringify(key)}: ${JSON.stringify(field)}`)
    .join(', ')} }`
}
