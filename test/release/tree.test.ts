import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sha256 } from '#kit/digest.ts'
import { openRelease, readCurrent } from '#release/release.ts'
import { cdnTree, folderTree, MissingFile, openTree } from '#release/tree.ts'
import { clipOf } from '../harness/opened.ts'
import { tempFolder } from '../harness/temp-folder.ts'
import { writeSourceFolder } from '../harness/source-folder.ts'
import { buildTree, clips, corpus } from '../build/small-corpus.ts'

async function startCdn(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('a folder', () => {
  test('gives the bytes of a file, and MissingFile for one it lacks', async () => {
    const folder = tempFolder()
    await writeFile(join(folder, 'a.json'), 'x')
    const tree = folderTree(folder)
    expect((await tree.read('a.json')).toString()).toBe('x')
    await expect(tree.read('b.json')).rejects.toThrow(MissingFile)
    await expect(tree.read('b.json')).rejects.toThrow(`no file "b.json" in "${folder}"`)
  })

  test('gives a range of a file, and its bytes with their SHA-256', async () => {
    const folder = tempFolder()
    await writeFile(join(folder, 'a'), '0123456789')
    const tree = folderTree(folder)
    expect((await tree.readRange('a', 3, 6)).toString()).toBe('345')
    await expect((async () => tree.readRange('a', 8, 11))()).rejects.toThrow('cannot read the bytes 8 to 11')
    await expect((async () => tree.readRange('b', 0, 1))()).rejects.toThrow(MissingFile)
    const { bytes, digest } = await tree.readDigested('a')
    expect(Buffer.from(bytes).toString()).toBe('0123456789')
    expect(digest).toBe(sha256('0123456789').toString('hex'))
    await expect(tree.readDigested('b')).rejects.toThrow(MissingFile)
  })

  test('that cannot be read is no missing file', async () => {
    await expect(folderTree(tempFolder()).read('.')).rejects.not.toBeInstanceOf(MissingFile)
  })
})

describe('a CDN', () => {
  test('is asked below its address, with the token as bearer credential', async () => {
    const asked: unknown[] = []
    const address = await startCdn((req, res) => {
      asked.push([req.url, req.headers.authorization])
      res.end('x')
    })
    expect((await cdnTree(`${address}/tree`, 's3cret').read('data/a.json')).toString()).toBe('x')
    await cdnTree(`${address}/tree/`, undefined).read('current.json')
    expect(asked).toEqual([
      ['/tree/data/a.json', 'Bearer s3cret'],
      ['/tree/current.json', undefined],
    ])
  })

  test.each([true, false])(
    'gives a range of a file, whether it knows ranges (%s) or sends the whole',
    async (knows) => {
      const asked: unknown[] = []
      const address = await startCdn((req, res) => {
        asked.push([req.headers.range, req.headers['accept-encoding']])
        res.writeHead(knows ? 206 : 200).end(knows ? '345' : '0123456789')
      })
      expect((await cdnTree(address, undefined).readRange('a', 3, 6)).toString()).toBe('345')
      expect(asked).toEqual([['bytes=3-5', 'identity']])
      await expect((async () => cdnTree(address, undefined).readRange('a', 8, 12))()).rejects.toThrow(
        'it is shorter',
      )
    },
  )

  test('404 is a missing file, another status an error that quotes it', async () => {
    const address = await startCdn((req, res) => void res.writeHead(req.url === '/gone' ? 404 : 403).end())
    const tree = cdnTree(address, undefined)
    await expect(tree.read('gone')).rejects.toThrow(MissingFile)
    await expect(tree.read('kept')).rejects.toThrow(`cannot read "kept" from "${address}/": it answers 403`)
  })

  test('the token follows no redirect', async () => {
    let followed = false
    const other = await startCdn((_, res) => void (followed = !!res.end()))
    const address = await startCdn((_, res) => void res.writeHead(302, { location: other }).end())
    await expect(cdnTree(address, 's3cret').read('a')).rejects.toThrow()
    expect(followed).toBe(false)
  })

  test('serves a whole release', async () => {
    const folder = tempFolder()
    await writeSourceFolder(join(folder, 'src'), corpus(clips(3)))
    const { release } = await buildTree(join(folder, 'src'), join(folder, 'dist'))
    const disk = folderTree(join(folder, 'dist'))
    const address = await startCdn((req, res) => {
      disk.read(req.url!.slice(1)).then(
        (bytes) => res.end(bytes),
        () => res.writeHead(404).end(),
      )
    })
    const tree = openTree(address, undefined)
    expect(await readCurrent(tree)).toBe(release)
    expect(clipOf(await openRelease(tree, release), 'v1')!.clip.title).toBe('About v1')
  })
})

describe('an address', () => {
  test.each(['http://cdn.example/tree', 'http://127.0.0.1.example/', 'http://10.0.0.1/'])(
    '%s is refused',
    (address) => {
      expect(() => openTree(address, 's3cret')).toThrow(
        `cannot read a tree from "${address}": the address must begin with https://`,
      )
    },
  )

  test.each(['https://cdn.example/tree', 'http://localhost:1', 'http://127.0.0.1:1', 'http://[::1]:1'])(
    '%s is taken',
    (address) => {
      expect(openTree(address, undefined).location).toBe(
        new URL(address + (address.endsWith('/') ? '' : '/')).href,
      )
    },
  )

  test('anything else is a folder', () => {
    expect(openTree('/some/where', undefined).location).toBe('/some/where')
  })
})
