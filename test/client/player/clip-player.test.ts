import { readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Locator, Page } from 'playwright'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '#client/player/adapter.ts'
import type { ClipPlayer } from '#client/player/clip-player.ts'
import type { Clip } from '#contract/clip.ts'
import type { Transcript } from '#contract/transcript.ts'
import { minutes } from '#client/player/minutes.ts'
import { longTest, shareOf } from '../../harness/fault-rounds.ts'
import { browserProgram, sharedBrowser } from '../../harness/browser.ts'
import { startListening } from '../../harness/start-listening.ts'
import { sharedSiteService, siteTree } from '../../harness/site-service.ts'

type Heard = { name: string; text: string; timeS: number; lit: string | undefined }

describe.skipIf(!browserProgram)('the player', () => {
  const service = sharedSiteService()
  const browser = sharedBrowser()
  /** The server of a page of another origin. */
  let own: Server
  /** The strictest policy under which the tests, which set style attributes, can run. */
  let policy: string
  let ownOrigin: string
  let ownPage: string
  /** The responses to the paths of records: a record, or a function that answers. */
  let answers: Record<string, object | RequestListener>
  let clip: Clip
  let transcript: Transcript

  beforeAll(async () => {
    policy = `default-src 'none'; script-src ${service.origin}; style-src-attr 'unsafe-inline'; connect-src 'self'; img-src *; frame-src *`
    own = createServer((req, res) => {
      const answer = answers[req.url!]
      if (typeof answer === 'function') return void answer(req, res)
      const type = answer === undefined ? 'text/html' : 'application/json'
      res
        .writeHead(200, { 'content-type': type, 'content-security-policy': policy })
        .end(answer === undefined ? ownPage : JSON.stringify(answer))
    })
    ownOrigin = `http://127.0.0.1:${await startListening(own)}`
    const headers = { Authorization: `Bearer ${await service.newKey('player')}` }
    const get = async (path: string) => (await fetch(service.origin + path, { headers })).json()
    clip = (await get('/v1/clips/en-turn-left')) as Clip
    clip.embedUrl = clip.embedUrl.replace(new URL(clip.embedUrl).origin, service.origin)
    transcript = (await get('/v1/clips/en-turn-left/transcript')) as Transcript
  })

  afterAll(() => void own?.close())

  /** Opens a page of another origin than the player's, with a player in it. */
  async function openPage(attributes: string, record = clip, answer: object | RequestListener = transcript) {
    const page = await browser.newPage()
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    answers = { '/clip': record, '/transcript': answer }
    ownPage = `<!doctype html><html lang="en"><title>Own page</title>
      <script type="module" src="${service.origin}/clip-player.js"></script>
      <main><clip-player clip="clip" transcript="transcript" ${attributes}></clip-player></main>`
    await page.goto(ownOrigin)
    await page.locator('clip-player a[href]').waitFor()
    await page.locator('clip-player').evaluate((player) => {
      const heard: Heard[] = []
      for (const name of ['cue', 'word', 'ended', 'pause'])
        player.addEventListener(name, ({ detail }: any) =>
          heard.push({
            name,
            text: detail.word?.text ?? detail.cue?.text ?? '',
            timeS: (player as ClipPlayer).timeS,
            lit: player.shadowRoot!.querySelector('.lit')?.textContent ?? undefined,
          }),
        )
      Object.assign(window, { heard })
    })
    return { page, requests, player: page.locator('clip-player') }
  }

  const heardOn = (page: Page) => page.evaluate(() => (window as unknown as { heard: Heard[] }).heard)
  const timeOf = (page: Page) =>
    page.locator('clip-player').evaluate((player) => (player as ClipPlayer).timeS)
  const isPlaying = (page: Page) =>
    page.locator('clip-player').evaluate((player) => (player as ClipPlayer).isPlaying)

  test('is one module of at most 8 KB that imports nothing', () => {
    const code = readFileSync(join(siteTree, 'site', 'clip-player.js'))
    expect(gzipSync(code).length).toBeLessThanOrEqual(8 * 1024)
    expect(code.toString()).not.toMatch(/\bimport\b/)
  })

  test('plays a part from its exact second to its end, and highlights each word while it is said', async () => {
    const said = transcript.cues[1]!
    const { page, requests } = await openPage(`start="${said.tStart}" end="${said.tEnd}"`)
    expect(requests.filter((url) => url.startsWith(clip.embedUrl))).toEqual([])
    await page.getByRole('button', { name: `Play “${clip.title}”` }).click()
    await expect.poll(() => heardOn(page)).toContainEqual(expect.objectContaining({ name: 'ended' }))
    const heard = await heardOn(page)
    const words = heard.filter(({ name }) => name === 'word')
    // On a busy machine, some words have no frame, and a late start of the sound repeats others.
    expect(words.at(-1)!.text).toBe(said.words.at(-1)!.text)
    for (const { text, lit, timeS } of words) {
      expect(lit).toBe(text)
      const word = said.words.find((word) => word.text === text)
      expect(timeS).toBeGreaterThanOrEqual(word!.tStart)
    }
    expect(await isPlaying(page)).toBe(false)
    // Playing once more begins at the start again.
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => timeOf(page)).toBeLessThan(said.tEnd - 0.1)
  })

  test('sends the last word and the end of a part once, even if the page is too busy to stop in time', async () => {
    const cue = transcript.cues[1]!
    const last = cue.words.at(-1)!
    const { page, player } = await openPage(`start="${last.tStart - 0.1}" end="${cue.tEnd}"`)
    await useReportedPlayer(page)
    await player.evaluate((element, index) => {
      element.addEventListener('word', ({ detail }: any) => {
        const untilMs = performance.now() + 1_500
        if (detail.index === index) while (performance.now() < untilMs);
      })
      ;(element as ClipPlayer).play()
      report({ isReady: true })
      report({ isPlaying: true })
    }, cue.words.length - 1)
    await expect.poll(() => heardOn(page)).toContainEqual(expect.objectContaining({ name: 'ended' }))
    // Sent before the frame received the command to pause.
    await page.evaluate((timeS) => report({ isPlaying: true, timeS }), cue.tEnd + 0.1)
    expect(await isPlaying(page)).toBe(false)
    const events = (await heardOn(page)).map(({ name, text }) => (name === 'word' ? text : name))
    const ending = [last.text, 'ended', 'pause']
    expect(events.filter((event) => ending.includes(event))).toEqual(ending)
  })

  test('goes to the word that is clicked, repeats its line, and slows down', async () => {
    const { page } = await openPage('')
    const cue = transcript.cues[2]!
    const word = cue.words.at(-1)!
    // Pressed before it plays, because on a busy machine the clip would otherwise play past the
    // line.
    await page.getByRole('button', { name: 'Speed 1×' }).click()
    await page.getByRole('button', { name: 'Repeat line' }).click()
    await page.locator('clip-player li').nth(2).getByText(word.text, { exact: true }).click()
    await expect.poll(() => timeOf(page)).toBeGreaterThanOrEqual(word.tStart)
    const repeated = async () =>
      (await heardOn(page)).filter(({ text }) => text === cue.words[0]!.text).length
    await expect.poll(repeated).toBeGreaterThanOrEqual(2)
    const frame = page.frames().find((each) => each.url().startsWith(service.origin))!
    // There is no caption between the end of the line and its repetition.
    await expect.poll(() => frame.locator('#caption').innerText()).toBe(cue.text)
    expect(await page.getByRole('button', { name: 'Speed 0.75×' }).getAttribute('aria-pressed')).toBe('true')
  })

  test('does not start if it is paused while it loads', async () => {
    const { page } = await openPage('')
    await page.locator('clip-player').evaluate(async (element) => {
      const player = element as ClipPlayer
      const answer = (isExpected: (text: string) => boolean) =>
        new Promise<void>((done) =>
          addEventListener('message', ({ data }) => isExpected(String(data)) && done()),
        )
      const ready = answer((text) => text.includes('"onReady"'))
      player.play()
      player.pause()
      await ready
      // The frame obeys in order, so it would play before it answers this.
      const slow = answer((text) => text.includes('"playbackRate":0.5'))
      player.rate = 0.5
      await slow
    })
    expect(await isPlaying(page)).toBe(false)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await expect.poll(() => isPlaying(page)).toBe(true)
  })

  const again = [['play'], ['pause'], ['play']]
  test.for(
    shareOf<{ what: string; seekS?: number; startsInFrame?: boolean; calls: unknown[][] }>([
      { what: 'start', calls: [['pause'], ['seek', 12.48], ...again] },
      { what: 'the second sought', seekS: 30, calls: [['pause'], ['seek', 30], ...again] },
      { what: 'where the frame is', startsInFrame: true, calls: [['pause'], ...again] },
    ]),
  )('plays from $what after it was paused while it loaded', async ({ seekS, startsInFrame, calls }) => {
    const { page, player } = await openPage('start="12.48"', { ...clip, durationS: 60 })
    await useReportedPlayer(page)
    const received = await player.evaluate(
      (element, { seekS, startsInFrame }) => {
        const player = element as ClipPlayer
        if (seekS === undefined) player.play()
        else player.seek(seekS)
        player.pause()
        report({ isReady: true, timeS: 12, isPlaying: false })
        if (startsInFrame) {
          report({ isPlaying: true })
          report({ isPlaying: false })
        }
        player.play()
        report({ isPlaying: true })
        player.pause()
        report({ isPlaying: false })
        player.play()
        return commands
      },
      { seekS, startsInFrame },
    )
    expect(received).toEqual(calls)
  })

  longTest('scrolls a short list to the start of the current line', async () => {
    const { player } = await openPage('style="--clip-player-lines: 1.5rem"')
    const lines = player.getByRole('list', { name: 'Lines' })
    for (const { tStart } of transcript.cues) {
      await player.evaluate((element, timeS) => (element as ClipPlayer).seek(timeS), tStart)
      const { top, view, height } = await lines.evaluate((list) => {
        const line = list.querySelector<HTMLElement>('[aria-current]')!
        const view = list.clientHeight
        return { top: line.offsetTop - list.scrollTop, view, height: line.offsetHeight }
      })
      expect(height).toBeGreaterThan(view)
      expect(top).toBeGreaterThanOrEqual(0)
      expect(top).toBeLessThan(view)
    }
  })

  test('can be used with the keyboard alone, with one tab stop for all lines', async () => {
    const { page } = await openPage('')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await expect.poll(() => isPlaying(page)).toBe(true)
    await page.keyboard.press('k')
    await expect.poll(() => isPlaying(page)).toBe(false)
    const pausedAt = await timeOf(page)
    const focused = () => page.locator('clip-player :focus')
    const isInLines = () => focused().evaluate((element) => element.closest('ol') !== null)
    for (let presses = 0; !(await isInLines()); presses++) {
      expect(presses).toBeLessThan(10)
      await page.keyboard.press('Tab')
    }
    expect(await focused().getAttribute('aria-label')).toMatch(/^Play from 0:\d\d$/)
    // The clip may have reached another line by now if the machine is busy.
    const [{ tStart: firstStart }] = transcript.cues as [Transcript['cues'][number]]
    for (let presses = 0; presses < 30 && (await focused().innerText()) !== minutes(firstStart); presses++)
      await page.keyboard.press('ArrowLeft')
    // From the first line, every word is reached, and then the next line.
    for (const { text } of transcript.cues[0]!.words) {
      await page.keyboard.press('ArrowRight')
      expect(await focused().innerText()).toBe(text)
    }
    expect(await timeOf(page)).toBeLessThan(pausedAt + 1)
    await page.keyboard.press('ArrowRight')
    const { words, tStart } = transcript.cues[1]!
    expect(await focused().innerText()).toBe(minutes(tStart))
    await page.keyboard.press('Enter')
    await expect.poll(() => timeOf(page)).toBeGreaterThanOrEqual(tStart)
    await page.keyboard.press('k')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await expect.poll(() => timeOf(page)).toBeGreaterThanOrEqual(words[1]!.tStart)
    expect(await focused().innerText()).toBe(words[1]!.text)
    await page.keyboard.press('ArrowDown')
    expect(transcript.cues[2]!.words.map(({ text }) => text)).toContain(await focused().innerText())
    await page.keyboard.press('Tab')
    expect(await focused().innerText()).toBe('Watch at the source')
    await page.keyboard.press('Shift+Tab')
    expect(transcript.cues[2]!.words.map(({ text }) => text)).toContain(await focused().innerText())
  })

  test('shows readings above the words and translations below the lines, each with a switch', async () => {
    const [first, second] = transcript.cues as [Transcript['cues'][number], Transcript['cues'][number]]
    const readWords = first.words.map((word, i) => (i === 1 ? { ...word, reading: 'yomi' } : word))
    const translations = { de: 'Auf Deutsch', es: 'En español' }
    const { page } = await openPage('translations gloss="es"')
    const shown = { ...transcript, cues: [{ ...first, words: readWords, translations }, second] }
    await show(page, shown)
    const line = page.locator('clip-player li').first()
    const reading = line.locator('ruby rt')
    expect(await reading.textContent()).toBe('yomi')
    expect(await reading.isVisible()).toBe(false)
    expect(await line.getByText('En español').isVisible()).toBe(true)
    await page.getByRole('button', { name: 'Readings' }).click()
    expect(await reading.isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Readings' }).getAttribute('aria-pressed')).toBe('true')
    await page.getByRole('button', { name: 'Translations' }).click()
    expect(await line.getByText('En español').isVisible()).toBe(false)
    await reading.click()
    await expect.poll(() => timeOf(page)).toBeGreaterThanOrEqual(first.words[1]!.tStart)
  })

  test('highlights words that older transcripts do not locate, and has no switch for content that is missing', async () => {
    const { page } = await openPage('')
    const cues = transcript.cues.map((cue) => ({
      ...cue,
      words: cue.words.map(({ text, tStart, tEnd }) => ({ text, tStart, tEnd })),
      translations: undefined,
    }))
    await show(page, { ...transcript, cues })
    const words = page.locator('clip-player li').first().locator('[data-word]')
    expect(await words.allTextContents()).toEqual(cues[0]!.words.map(({ text }) => text))
    expect(await page.getByRole('button', { name: /Readings|Translations/ }).count()).toBe(0)
  })

  test('shows a picture and the line of the match before playback starts', async () => {
    const index = transcript.cues.findIndex(({ words }, i) => i > 0 && words.some(({ wordIds }) => wordIds))
    const { tStart, words, text } = transcript.cues[index]!
    const wordId = words.flatMap(({ wordIds = [] }) => wordIds)[0]!
    const embedUrl = 'https://www.youtube.com/embed/abcdefghijk'
    const place = `start="${tStart}" mark="${wordId}"`
    const { page, player, requests } = await openPage(place, { ...clip, embedUrl })
    expect(await player.locator('#caption').innerText()).toBe(text)
    expect(await player.locator('li[aria-current]').innerText()).toContain(text)
    const layout = await player.locator('#caption').evaluate((caption) => getComputedStyle(caption).position)
    expect(layout).toBe('absolute')
    const label = page.getByRole('button', { name: 'Repeat line' })
    expect(await label.evaluate((button) => button.closest<HTMLElement>('[lang]')?.lang)).toBe('en')
    const poster = 'https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg'
    expect(await player.locator('#poster').getAttribute('src')).toBe(poster)
    expect(requests.filter((url) => url.startsWith('https://www.youtube.com'))).toEqual([])
    expect(await heardOn(page)).toEqual([])
  })

  test('says within 5 seconds that a blocked frame does not respond, and tries again from the second sought', async () => {
    const { page, player } = await openPage('', { ...clip, embedUrl: 'https://video.invalid/embed' })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: /^Play “/ }).click()
    await player.evaluate((element) => (element as ClipPlayer).seek(4.5))
    await page.clock.runFor(4_000)
    expect(await player.getByRole('alert').count()).toBe(0)
    await page.clock.runFor(1_500)
    expect(await player.getByRole('alert').innerText()).toContain('does not answer')
    const frames = () => page.frames().length
    expect(frames()).toBe(2)
    await page.getByRole('button', { name: 'Try again' }).click()
    expect(frames()).toBe(2)
    expect(await player.getByRole('alert').count()).toBe(0)
    expect(await timeOf(page)).toBe(4.5)
  })

  const missing = JSON.stringify({ error: { message: 'There is no clip “abc”.' } })
  test.each(
    shareOf<[message: string, answer: RequestListener]>([
      ['There is no clip “abc”.', (_req, res) => res.writeHead(404).end(missing)],
      ['The server answered 502 without a record.', (_req, res) => res.writeHead(502).end('<h1>Bad</h1>')],
      ['The answer is not a transcript.', (_req, res) => res.end('{"words":[]}')],
      ['The server cannot be reached.', (req) => req.socket.destroy()],
    ]),
  )('says that a transcript cannot be loaded, and tries again: %s', async (message, answer) => {
    const { page, player } = await openPage('', clip, answer)
    const alert = player.getByRole('alert')
    await expect.poll(() => alert.innerText()).toBe(`The transcript cannot be loaded: ${message} Try again`)
    // It is still said when the clip plays.
    await page.getByRole('button', { name: /^Play “/ }).click()
    await expect.poll(() => isPlaying(page)).toBe(true)
    expect(await alert.innerText()).toContain(message)
    answers['/transcript'] = transcript
    await alert.getByRole('button', { name: 'Try again' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => player.locator('li').count()).toBe(transcript.cues.length)
    expect(await alert.count()).toBe(0)
    expect(await player.locator(':focus').innerText()).toBe('Pause')
  })

  longTest('says that a transcript is slow to load, and shows it once it arrives', async () => {
    let release = () => {}
    const { page, player } = await openPage('preload="none"', clip, (_req, res) => {
      release = () => res.end(JSON.stringify(transcript))
    })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByRole('button', { name: /^Play “/ }).click()
    await page.clock.runFor(5_500)
    await expect
      .poll(() => player.getByRole('alert').allInnerTexts())
      .toContain('The transcript cannot be loaded: The server has not answered yet. Try again')
    release()
    await expect.poll(() => player.locator('li').count()).toBe(transcript.cues.length)
    expect(await player.getByRole('alert').filter({ hasText: 'transcript' }).count()).toBe(0)
  })

  longTest('marks the current word in forced colours', async () => {
    const { page, player } = await openPage('')
    await page.emulateMedia({ forcedColors: 'active' })
    const word = player.locator('li').first().locator('[data-word]').first()
    const plain = await pixelsOf(word)
    await word.evaluate((element) => element.classList.add('lit'))
    const lit = await pixelsOf(word)
    expect(lit.length).toBe(plain.length)
    const changed = lit.filter((value, i) => Math.abs(value - plain[i]!) > 60).length
    expect(changed / lit.length).toBeGreaterThan(0.2)
  })

  longTest('prints every line on white, with the address of the source', async () => {
    const { page, player } = await openPage('style="--clip-player-lines: 4rem"')
    await page.evaluate(() => (document.documentElement.style.cssText = 'background: #111; color: #eee'))
    await page.getByRole('button', { name: /^Play “/ }).click()
    await player.locator('.lit').waitFor()
    const lines = player.getByRole('list', { name: 'Lines' })
    const isCut = () => lines.evaluate((list) => list.scrollHeight > list.clientHeight)
    expect(await isCut()).toBe(true)
    await page.emulateMedia({ media: 'print' })
    expect(await isCut()).toBe(false)
    for (const { text } of transcript.cues) expect(await lines.innerText()).toContain(text)
    expect(await player.locator('#stage').isVisible()).toBe(false)
    const { data } = await sharp(await player.screenshot())
      .greyscale()
      .raw()
      .toBuffer({ resolveWithObject: true })
    const light = data.filter((value) => value > 250).length
    expect(light / data.length).toBeGreaterThan(0.7)
    const address = await player.locator('a').evaluate((link) => getComputedStyle(link, '::after').content)
    expect(address).toContain(clip.watchUrl)
  })

  longTest('sends messages to YouTube’s frame and to no other origin', async () => {
    const record = { ...clip, embedUrl: 'https://www.youtube.com/embed/abc' }
    const { page, requests } = await openPage('start="12.48"', record)
    await page.route('https://www.youtube.com/**', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<script>
          window.got = []
          onmessage = ({ data, origin }) => {
            got.push([origin, JSON.parse(data)])
            if (got.length === 1) parent.postMessage(JSON.stringify({ event: 'onReady', info: null }), origin)
          }</script>`,
      }),
    )
    await page.getByRole('button', { name: /^Play “/ }).click()
    const frame = () =>
      page.frames().find((each) => each.url().startsWith('https://www.youtube.com/embed/abc'))
    const got = () =>
      frame()?.evaluate(
        () => (window as any).got as [string, { event: string; func?: string; args?: unknown[] }][],
      )
    await expect
      .poll(async () =>
        (await got())
          ?.map(([, { event, func = event, args = [] }]) => [func, ...args])
          // It is repeated until the frame is ready.
          .filter(([func], i) => func !== 'listening' || i === 0),
      )
      .toEqual([['listening'], ['setPlaybackRate', 1], ['seekTo', 12.48, true], ['playVideo']])
    expect(new Set((await got())!.map(([origin]) => origin))).toEqual(new Set([ownOrigin]))
    const address = new URL(requests.find((url) => url.includes('youtube'))!)
    const settings = { enablejsapi: '1', origin: ownOrigin, start: '12' }
    expect(Object.fromEntries(address.searchParams)).toMatchObject(settings)
  })

  test('accepts the page’s adapter for other players, and says what cannot be loaded', async () => {
    const { page } = await openPage('start="3"', { ...clip, embedUrl: 'https://video.example/abc' })
    await page.evaluate(() => {
      const Player = customElements.get('clip-player') as unknown as typeof ClipPlayer
      Player.adapters.unshift({
        matches: ({ hostname }) => hostname === 'video.example',
        frameUrl: () => new URL('about:blank'),
        connect(_frame, onReport) {
          setTimeout(() => onReport({ isReady: true }), 10)
          return {
            play: () => onReport({ isPlaying: true }),
            pause: () => onReport({ isPlaying: false }),
            seek: (timeS) => onReport({ timeS }),
            setRate() {},
            disconnect() {},
          }
        },
      })
    })
    await page.getByRole('button', { name: /^Play “/ }).click()
    await expect.poll(() => timeOf(page)).toBeGreaterThan(3)
    await page.locator('clip-player').evaluate((player) => player.setAttribute('clip', '/'))
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toContain('The clip cannot be loaded')
  })
})

/** Gives the player of the page another transcript. */
const show = (page: Page, record: object) =>
  page
    .locator('clip-player')
    .evaluate((player, given) => void Object.assign(player, { transcript: given }), record)

/** Gives the page a player whose reports the test makes, and whose commands it records. */
function useReportedPlayer(page: Page): Promise<void> {
  return page.evaluate(() => {
    const commands: unknown[][] = []
    Object.assign(window, { commands })
    const Player = customElements.get('clip-player') as unknown as typeof ClipPlayer
    Player.adapters.unshift({
      matches: () => true,
      frameUrl: () => new URL('about:blank'),
      connect(_frame, report) {
        Object.assign(window, { report })
        return {
          play: () => void commands.push(['play']),
          pause: () => void commands.push(['pause']),
          seek: (timeS) => void commands.push(['seek', timeS]),
          setRate() {},
          disconnect() {},
        }
      },
    })
  })
}
/** What `useReportedPlayer` adds to the page. */
declare const commands: unknown[][]
declare const report: (report: Report) => void

/** The pixels of an element, each as one value. */
async function pixelsOf(element: Locator): Promise<number[]> {
  const image = sharp(await element.screenshot()).greyscale()
  return [...(await image.raw().toBuffer())]
}
