/** The place where a cache keeps its texts. Implement it to keep them elsewhere. */
export interface CacheStorage {
  get(key: string): Promise<string | undefined>
  set(key: string, text: string): Promise<void>
  delete(key: string): Promise<void>
  /** Returns the keys with the sizes of their texts, the least important first. */
  sizes(): Promise<[key: string, size: number][]>
}

/** Keeps texts in memory. */
export function memoryStorage(): CacheStorage {
  const texts = new Map<string, string>()
  return {
    get: async (key) => texts.get(key),
    set: async (key, text) => void texts.set(key, text),
    delete: async (key) => void texts.delete(key),
    sizes: async () => [...texts].map(([key, text]) => [key, text.length]),
  }
}

/** Keeps texts in the browser's database, for all pages of an origin. */
export function indexedDbStorage(name = 'clip-lookup'): CacheStorage {
  let opening: Promise<IDBDatabase> | undefined
  const open = () =>
    (opening ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name, 1)
      request.onupgradeneeded = () => request.result.createObjectStore('texts')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error as Error)
    }))
  const run = async <T>(mode: IDBTransactionMode, start: (texts: IDBObjectStore) => IDBRequest<T>) => {
    const database = await open()
    return await new Promise<T>((resolve, reject) => {
      const transaction = database.transaction('texts', mode)
      const request = start(transaction.objectStore('texts'))
      transaction.oncomplete = () => resolve(request.result)
      transaction.onabort = () => reject(transaction.error as Error)
    })
  }
  return {
    get: async (key) => (await run('readonly', (texts) => texts.get(key))) as string | undefined,
    set: async (key, text) => void (await run('readwrite', (texts) => texts.put(text, key))),
    delete: async (key) => void (await run('readwrite', (texts) => texts.delete(key))),
    async sizes() {
      const sizes: [string, number][] = []
      await run('readonly', (texts) => {
        const request = texts.openCursor()
        request.onsuccess = () => {
          const cursor = request.result
          if (cursor) sizes.push([cursor.key as string, (cursor.value as string).length])
          cursor?.continue()
        }
        return request
      })
      return sizes
    },
  }
}
