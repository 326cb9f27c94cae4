import { createRequire } from 'node:module'
import type { Analyser, Vocabulary } from './analyser.ts'
import { openChinese } from './chinese.ts'
import { japaneseAnalyser } from './japanese.ts'
import { openPortuguese, portugueseForms } from './portuguese.ts'
import { openRussian } from './russian.ts'
import { openSpanish, spanishForms } from './spanish.ts'
import { openSudachi, sudachiVersion } from './sudachi.ts'
import { openTurkish } from './turkish.ts'

/** How the analyser of a language is opened, and what changes when it does. */
interface Source {
  /** Raised with each change of its rules. */
  rules: number
  /**
   * The optional dependency that it needs, pinned as in package.json; none where rules are enough.
   */
  packageName?: string
  /**
   * What tells one version of that package from another; without it, the version of the package.
   */
  packageVersion?(): string
  /**
   * Whether what it says depends on the text alone, so that a tree keeps it: a headword added later
   * is found in old clips, even where the package is gone.
   */
  isKept: boolean
  open(vocabulary: Vocabulary): Analyser
}

const sources: Readonly<Record<string, Source>> = {
  es: { rules: 1, packageName: 'spanish-verbs', isKept: false, open: openSpanish },
  ja: {
    rules: 2,
    packageName: 'sudachi-wasm333',
    packageVersion: sudachiVersion,
    isKept: true,
    open: () => japaneseAnalyser(openSudachi()),
  },
  pt: { rules: 1, isKept: false, open: openPortuguese },
  ru: { rules: 2, packageName: 'az', isKept: true, open: openRussian },
  tr: { rules: 2, isKept: false, open: openTurkish },
  zh: { rules: 2, isKept: false, open: openChinese },
}

/** The analyser of a language, as far as it can be told without opening it. */
export interface AnalyserInfo {
  /**
   * Another one may say something else of the same text. Null where its package is not installed.
   */
  version: string | null
  isKept: boolean
  /** The command that installs its package, where that is missing. */
  installCommand?: string
}

/** What is known of the analyser of a language; null where the language has none. */
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
 * Opens the analyser of a language: its dictionary is read.
 *
 * @throws its package is not installed
 */
export function openAnalyser(language: string, vocabulary: Vocabulary): Analyser {
  return sources[language]!.open(vocabulary)
}

/** The forms that rules make of each headword, where the analyser of the language works by them. */
export function inflections(language: string, vocabulary: Vocabulary): Map<string, string[]> {
  if (language === 'pt') return portugueseForms(vocabulary).byHeadword()
  if (language === 'es' && analyserInfo('es')!.version !== null)
    return spanishForms(vocabulary).forms.byHeadword()
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
