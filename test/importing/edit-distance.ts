/**
 * How many words must be put in and taken out to make one list of the other (Myers, "An O(ND)
 * difference algorithm", 1986, figure 2).
 */
export function editDistance(a: readonly string[], b: readonly string[]): number {
  const furthest = new Map<number, number>([[1, 0]])
  for (let distance = 0; ; distance++) {
    for (let k = -distance; k <= distance; k += 2) {
      const down = k === -distance || (k !== distance && furthest.get(k - 1)! < furthest.get(k + 1)!)
      let x = down ? furthest.get(k + 1)! : furthest.get(k - 1)! + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      furthest.set(k, x)
      if (x >= a.length && x - k >= b.length) return distance
    }
  }
}
