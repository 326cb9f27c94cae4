import packageInfo from '../../../package.json' with { type: 'json' }
import type { Analyser, Vocabulary } from './analyser.ts'
import { openChinese } from './chinese.ts'
import { openEnglish } from './english.ts'
import { openJapanese } from './japanese.ts'
import { openKorean } from './korean.ts'
import { lexiconPackages, lexiconVersion, openLexicon } from './open-lexicon.ts'
import { installedPackage } from './word-tables.ts'
import { RomanceForms } from './romance-forms.ts'
import { openRomance } from './romance.ts'
import { openRussian } from './russian.ts'
import { openTurkish } from './turkish.ts'

interface Source {
  /** The version of its rules, increased with each change to them. */
  rules: number
  /** The optional dependency that it needs, pinned in package.json. */
  packageName?: string
  /**
   * Whether its words depend only on the text. A tree stores such words, so that a headword that is
   * added later is found in old clips, even without the package.
   */
  isKept: boolean
  open(vocabulary: Vocabulary): Analyser
}

const sources: Readonly<Record<string, Source>> = {
  en: { rules: 5, isKept: false, open: openEnglish },
  es: { rules: 12, isKept: false, open: (vocabulary) => openRomance('es', vocabulary) },
  ja: { rules: 8, packageName: 'sudachi-wasm333', isKept: true, open: openJapanese },
  ko: { rules: 4, isKept: false, open: openKorean },
  pt: { rules: 10, isKept: false, open: (vocabulary) => openRomance('pt', vocabulary) },
  ru: { rules: 6, packageName: 'az', isKept: true, open: openRussian },
  tr: { rules: 6, isKept: false, open: openTurkish },
  zh: { rules: 9, isKept: false, open: openChinese },
}

/** Facts about an analyser that do not require opening it. */
export interface AnalyserInfo {
  /** Another version may find other words in a text. Null if a package is not installed. */
  version: string | null
  isKept: boolean
  installCommand?: string
}

/**
 * Facts about the analyser of a language. A language without rules or lexicons of its own has one
 * as soon as its Hunspell dictionary is installed.
 */
export function analyserInfo(language: string): AnalyserInfo {
  const source = sources[language]
  const { isKept, rules } = source ?? { isKept: false, rules: lexiconVersion(language) }
  const packages = source ? [source.packageName ?? []].flat() : lexiconPackages(language)
  const missing = packages.filter((name) => installedPackage(name) === null)
  if (missing.length > 0) return { version: null, isKept, installCommand: installCommand(missing) }
  const versions = packages.map((name) => `${name} ${installedPackage(name)!.version}`)
  return { version: [rules, ...versions].join(' '), isKept }
}

function installCommand(packages: readonly string[]): string {
  // The package.json of the proxy image lacks this field.
  const versions = (packageInfo as { optionalDependencies?: Record<string, string> }).optionalDependencies
  const specifiers = packages.map((name) => (versions?.[name] ? `${name}@${versions[name]}` : name))
  return `npm install --save-exact ${specifiers.join(' ')}`
}

/**
 * Opens the analyser of a language and reads its dictionary.
 *
 * @throws the package of the dictionary is not installed
 */
export function openAnalyser(language: string, vocabulary: Vocabulary): Analyser {
  return sources[language]?.open(vocabulary) ?? openLexicon(language, vocabulary)
}

/** The forms of each headword, if the analyser of the language derives forms by rules. */
export function inflections(language: string, vocabulary: Vocabulary): Map<string, string[]> {
  if (language === 'es' || language === 'pt') return new RomanceForms(language, vocabulary).byHeadword()
  if (language in sources) return new Map()
  return analyserInfo(language).version === null ? new Map() : openLexicon(language, vocabulary).byHeadword()
}
