/**
 * Japanese words that are usually written in kana, by how catalogues often write them. Short as
 * these readings are, they nearly always say these words.
 */
export const nearlyAlwaysInKana: ReadonlyMap<string, string> = new Map([
  ['ある', '有る'],
  ['いる', '居る'],
  ['いう', '言う'],
  ['こと', '事'],
  ['もの', '物'],
  ['とき', '時'],
  ['ため', '為'],
])

/** With those that say the word wherever an analyser takes them for no part of the grammar. */
export const commonlyInKana: ReadonlyMap<string, string> = new Map([
  ...nearlyAlwaysInKana,
  ['おる', '居る'],
  ['よう', '様'],
  ['よる', '因る'],
  ['なか', '中'],
  ['うち', '内'],
  ['ほか', '他'],
  ['ところ', '所'],
  ['わけ', '訳'],
  ['はず', '筈'],
  ['ほど', '程'],
  ['いま', '今'],
])
