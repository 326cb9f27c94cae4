import { createRequire } from 'node:module'
import type { Analyser, Vocabulary } from './analyser.ts'
import { openChinese } from './chinese.ts'
import { japaneseAnalyser } from './japanese.ts'
import { openEnglish } from './english.ts'
import { openPortuguese, portugueseForms } from './portuguese.ts'
import { openRussian } from './russian.ts'
import { openSpanish, spanishForms } from './spanish.ts'
import { openSudachi, sudachiVersion } from './sudachi.ts'
import { openTurkish } from './turkish.ts'

interface Source {
  /** The version of its rules: raised with each change of them. */
  rules: number
  /** The optional dependency that it needs, pinned in package.json. */
  packageName?: string
  /** Gives the version of that package and its dictionary; else that of the package counts. */
  packageVersion?(): string
  /**
   * Whether its words depend on the text alone. A tree keeps such words, so that a headword added
   * later is found in old clips, even if the package is gone.
   */
  isKept: boolean
  open(vocabulary: Vocabulary): Analyser
}

const sources: Readonly<Record<string, Source>> = {
  en: { rules: 1, isKept: false, open: openEnglish },
  es: { rules: 2, isKept: false, open: openSpanish },
  ja: {
    rules: 2,
    packageName: 'sudachi-wasm333',
    packageVersion: sudachiVersion,
    isKept: true,
    open: () => japaneseAnalyser(openSudachi()),
  },
  pt: { rules: 2, isKept: false, open: openPortuguese },
  ru: { rules: 2, packageName: 'az', isKept: true, open: openRussian },
  tr: { rules: 2, isKept: false, open: openTurkish },
  zh: { rules: 2, isKept: false, open: openChinese },
}

/** Facts about an analyser that do not require opening it. */
export interface AnalyserInfo {
  /** Other versions may find other words in a text. Null if its package is not installed. */
  version: string | null
  isKept: boolean
  /** The command that installs its package, if that is missing. */
  installCommand?: string
}

/** Facts about the analyser of a language; null if the language has none. */
export function analyserInfo(language: string): AnalyserInfo | null {
  const source = sources[language]
  if (!source) return null
  const { rules, packageName, isKept } = source
  if (packageName === undefined) return { version: `${rules}`, isKept }
  const version = versionOf(source)
  if (version !== null) return { version: `${rules} ${packageName} ${version}`, isKept }
  return { version, isKept, installCommand: `npm install --save-exact ${packageName}@${pinned[packageName]}` }
}

/**
 * Opens the analyser of a language and reads its dictionary.
 *
 * @throws its package is not installed
 */
export function openAnalyser(language: string, vocabulary: Vocabulary): Analyser {
  return sources[language]!.open(vocabulary)
}

/** The forms of each headword, if the analyser of the language derives forms by rules. */
export function inflections(language: string, vocabulary: Vocabulary): Map<string, string[]> {
  if (language === 'pt') return portugueseForms(vocabulary).byHeadword()
  if (language === 'es') return spanishForms(vocabulary).forms.byHeadword()
  return new Map()
}

const require = createRequire(import.meta.url)
const { optionalDependencies: pinned } = require('../../../package.json') as {
  optionalDependencies: Record<string, string>
}

function versionOf({ packageName, packageVersion }: Source): string | null {
  try {
    if (packageVersion) return packageVersion()
    return (require(`${packageName}/package.json`) as { version: string }).version
  } catch {
    return null
  }
}
