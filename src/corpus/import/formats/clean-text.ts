import { decodeHTMLStrict } from 'entities'
import { maxTextCharacters, textFault } from '../../text-bounds.ts'

/**
 * The tags of WebVTT, and those that SRT and YouTube exports borrow from HTML. Any other `<…>` is
 * text that only looks like a tag (`<pad>`, `a < b`) and stays. This is why media-captions'
 * `tokenizeVTTCue` is not used here (1.0.4 drops both, the second up to the next `>`).
 */
const tag = /<\/?(?:c|i|b|u|s|v|lang|ruby|rb|font|span|em|strong|p)(?:[.\s][^<>]*)?>/gi
/** Tags into which a translator put spaces, and those of forums: `< / i >`, `[i]text[/i]`. */
const brokenTag = /<\s*\/?\s*(?:[ibu]|font)\s*>/gi
const forumTag = /([[{])([ibu])[\]}]([^]*?)\1\/\2[\]}]/gi
/** Other HTML tags. A tag without its partner is text: `the <div> element`. */
const pairedTag =
  /<(\/?)(a|bd[io]|big|center|cite|code|del|div|h[1-6]|ins|li|mark|q|small|strike|su[bp]|tt|ul)(?:\s[^<>]*)?>/gi
/** `<br>`, and SubViewer's `[br]`. */
const lineBreakTag = /<br\s*\/?>|\[br\]/gi
/** Readings above the characters of a ruby text, which would otherwise become repeated words. */
const rubyReading = /<(r[tp]|rtc)(?:[.\s][^<>]*)?>[^<]*(?:<\/\1>)?/gi
const timeTag = /<\d+:[\d:.]+>/g
/** SubStation Alpha and MicroDVD codes, which some SRT files contain: `{\an8}`, `{y:i}`. */
const override = /\{\s*(?:\\|[ycfsp]:|an\d(?=\}))[^{}]*\}/gi
/** Codes, and the text that they apply to. */
const codesAndText = /(\{[^{}]*\})[^{}]*/g
/** The code that starts a drawing. */
export const drawingCode = /\\p[1-9]\d?(?![\w(])/i
/** SubStation Alpha's line breaks and space between words: `well,\Nno`. */
const breakCode = /(?<=[\p{L}\p{N}.,!?…"'”’»)\]。、！？」]) ?\\([Nnh])(?=["'¿¡«“「([ -]{0,2}[\p{L}\p{N}])/gu
/** The characters with which markup, codes and entities start. Few texts contain one. */
const mayHaveMarkup = /[<[{\\&]/
/** `&amp;#39;`: an entity that was escaped again, up to three times. */
const escapedAgain = /&(?:amp;){1,3}(?=(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});)/gi
const escapedMarkup = /&(?:amp;)+lt;/i
/** Words in a tag that was escaped. On its own, `the &lt;i&gt; tag` is text. */
const escapedTag = /&lt;(i|b|u|s|em|strong|font|span)(?:\s[^<>]{0,60}?)?&gt;(?=\S)[^]*?\S&lt;\/\1&gt;/i
const entity = /&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,31});/gi

/**
 * Zero-width characters, marks of direction and controls, which are neither visible nor spoken.
 * Joiners (U+200C, U+200D) belong to the spelling and stay.
 */
const invisible = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|(?!\s)\p{Cc}/gu

/** The ligatures of printed text, which a copy from a PDF contains: ﬁnd. */
const ligature = /[\ufb00-\ufb06]/g

/** Controls that are the bytes of windows-1252, which a program took for Latin-1: don\u0092t. */
const misreadByte = /[\u0080-\u009f]/g
const windows1252 = new TextDecoder('windows-1252')

/** The maximum length of a text with its markup. A longer one is not a cue. */
const maxRawCharacters = 2 * maxTextCharacters

/** Returns the text that a person reads: without markup, entities decoded, blanks folded, NFC. */
export function cleanText(raw: string): string {
  return foldBlanks(plainText(raw))
}

/**
 * Like `cleanText`, for a piece of a cue: line breaks stay, and whitespace at both ends is folded
 * to one space. A text too long for a cue is not cleaned, because `cleanCues` drops it.
 */
export function plainText(raw: string): string {
  if (textFault(raw, maxRawCharacters) !== null) return raw
  return (mayHaveMarkup.test(raw) ? dropMarkup(raw) : raw)
    .replace(/\r\n?/g, '\n')
    .replace(misreadByte, (control) => windows1252.decode(Uint8Array.of(control.charCodeAt(0))))
    .replace(invisible, '')
    .replace(ligature, (letters) => letters.normalize('NFKC'))
    .replace(/[^\S\n]+/g, ' ')
    .normalize('NFC')
}

function dropMarkup(raw: string): string {
  const bare = raw
    .replace(rubyReading, '')
    .replace(lineBreakTag, '\n')
    .replace(tag, '')
    .replace(brokenTag, '')
    .replace(forumTag, '$3')
    .replace(pairedTag, (whole, slash: string, name: string) => {
      const partner = new RegExp(String.raw`<${slash ? '' : '/'}${name}[\s>]`, 'i')
      return partner.test(raw) ? '' : whole
    })
    .replace(timeTag, '')
    .replace(codesAndText, (whole, codes: string) => (drawingCode.test(codes) ? '' : whole))
    .replace(override, '')
    .replace(/^\s*(?:\\[Nnh]\s*)+$/, '')
    .replace(breakCode, (_, code: string) => (code === 'h' ? ' ' : '\n'))
  // Markup that was escaped twice, or around words, was not text.
  const text = decodeEntities(bare.replace(escapedAgain, '&'))
  return escapedMarkup.test(bare) || escapedTag.test(bare)
    ? text.replace(lineBreakTag, '\n').replace(tag, '')
    : text
}

/** Whitespace other than single spaces. Testing for it saves copying most texts. */
const unfoldedBlank = /[^\S ]|  /

/** Folds any whitespace to one space, and trims the text. */
export function foldBlanks(text: string): string {
  return (unfoldedBlank.test(text) ? text.replace(/\s+/g, ' ') : text).trim()
}

/** Leaves text that is not an entity as it is: `R&D;`, and a code that stands for no character. */
function decodeEntities(text: string): string {
  return text.replace(entity, (whole) => {
    const known = /^&(?:AMP|LT|GT|QUOT|APOS|NBSP);$/i.test(whole) ? whole.toLowerCase() : whole
    const character = decodeHTMLStrict(known)
    return character.includes('\ufffd') ? whole : character
  })
}
