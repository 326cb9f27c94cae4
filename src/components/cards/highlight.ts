import { element } from './dom.ts'

/** A sentence whose characters `start … end`, counted in code points, are highlighted. */
export function highlighted(sentence: string, start: number, end: number): (Node | string)[] {
  const characters = [...sentence]
  return [
    characters.slice(0, start).join(''),
    element('mark', {}, characters.slice(start, end).join('')),
    characters.slice(end).join(''),
  ]
}
