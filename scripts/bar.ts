/** Eighths of a block, from nothing to a whole one. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉', '█']

/** A bar of `width` characters of which a share (0 to 1) is filled, to an eighth of a character. */
export function bar(share: number, width: number): string {
  const filled = Math.round(Math.min(Math.max(share, 0), 1) * width * 8)
  return ('█'.repeat(Math.floor(filled / 8)) + eighths[filled % 8]!).padEnd(width, '·')
}
