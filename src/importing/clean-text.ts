/**
 * The tags of WebVTT, and those that SRT and YouTube exports borrow from HTML. Any other `<…>` is text that only looks like
 * a tag (`<pad>`, `a < b`) and stays: the reason why media-captions' `tokenizeVTTCue` is not used here (1.0.4 drops both,
 * the second up to the next `>`).
 */
const tag = /<\/?(?:c|i|b|u|s|v|lang|ruby|font|span|em|strong|p)(?:[.\s][^<>]*)?>/gi
const lineBreakTag = /<br\s*\/?>/gi
/** Readings above the characters of a ruby text would be read as words said twice. */
const rubyReading = /<rt(?:[.\s][^<>]*)?>[^<]*(?:<\/rt>)?/gi
const timeTag = /<\d+:[\d:.]+>/g
/** Overrides of SubStation Alpha, which some SRT files carry: `{\an8}`. */
const override = /\{\\[^{}]*\}/g

const entities: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  lrm: '',
  rlm: '',
}
const entity = /&(?:(amp|lt|gt|quot|apos|nbsp|lrm|rlm)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi

/** Zero-width characters and controls, which nobody sees or says. Joiners (U+200C, U+200D) are spelling and stay. */
const invisible = /[\u200b\u200e\u200f\u2060\ufeff]|(?!\s)\p{Cc}/gu

/** The text of a cue as a person reads it: markup dropped, entities decoded, blanks folded and trimmed, NFC. */
export function cleanText(raw: string): string {
  return foldBlanks(plainText(raw)).trim()
}

/** As `cleanText`, but with the blanks at both ends kept (folded to one): for a piece of a cue. */
export function plainText(raw: string): string {
  const bare = raw
    .replace(rubyReading, '')
    .replace(lineBreakTag, ' ')
    .replace(tag, '')
    .replace(timeTag, '')
    .replace(override, '')
  return foldBlanks(decodeEntities(bare).replace(invisible, '')).normalize('NFC')
}

function decodeEntities(text: string): string {
  return text.replace(entity, (whole, name?: string, decimal?: string, hex?: string) => {
    if (name) return entities[name.toLowerCase()]!
    const code = decimal ? parseInt(decimal, 10) : parseInt(hex!, 16)
    const surrogate = code >= 0xd800 && code < 0xe000
    return code > 0x10ffff || surrogate ? whole : String.fromCodePoint(code)
  })
}

function foldBlanks(text: string): string {
  return text.replace(/\s+/g, ' ')
}
