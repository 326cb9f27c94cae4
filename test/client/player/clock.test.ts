import { beforeEach, expect, test } from 'vitest'
import { PlayerClock } from '#client/player/clock.ts'

let clock: PlayerClock
beforeEach(() => void (clock = new PlayerClock()))

test('time advances between the reports of a playing player, at its rate', () => {
  clock.report({ timeS: 10, isPlaying: true, rate: 0.5 }, 1_000)
  expect(clock.timeS(1_400)).toBeCloseTo(10.2)
})

test('time stops while a player is paused, and when it has not reported for a second', () => {
  clock.report({ timeS: 10, isPlaying: true }, 0)
  expect(clock.timeS(60_000)).toBe(11)
  clock.report({ timeS: 10.5, isPlaying: false }, 60_100)
  expect(clock.timeS(70_000)).toBe(10.5)
})

test('a report that is slightly behind does not turn the time back, but one far behind does', () => {
  clock.report({ timeS: 10, isPlaying: true }, 0)
  clock.report({ timeS: 10.1 }, 200)
  expect(clock.timeS(200)).toBeCloseTo(10.2)
  clock.report({ timeS: 4 }, 300)
  expect(clock.timeS(300)).toBe(4)
})

test('after a seek, ignores late reports of the time before it', () => {
  clock.report({ timeS: 40, isPlaying: true }, 0)
  clock.seek(5, 100)
  clock.report({ timeS: 40.2 }, 250)
  expect(clock.timeS(250)).toBeCloseTo(5.15)
  clock.report({ timeS: 5.4 }, 400)
  expect(clock.timeS(400)).toBeCloseTo(5.4)
})

test('a frame that starts at a whole second does not turn the time back to it from the second sought', () => {
  clock.seek(12.48, 0)
  clock.report({ timeS: 12, isPlaying: false }, 50)
  clock.report({ timeS: 12.02, isPlaying: true }, 100)
  expect(clock.timeS(100)).toBe(12.48)
  clock.report({ timeS: 12.47 }, 600)
  expect(clock.timeS(600)).toBe(12.47)
})

test('after a stop, ignores reports of playing until the player confirms it, or for a second', () => {
  for (const confirmedAtMs of [400, undefined]) {
    clock = new PlayerClock()
    clock.report({ timeS: 10, isPlaying: true }, 0)
    clock.stop(10.2, 200)
    clock.report({ timeS: 10.21, isPlaying: true }, 300)
    expect([clock.timeS(300), clock.isPlaying]).toEqual([10.2, false])
    if (confirmedAtMs) clock.report({ timeS: 10.25, isPlaying: false }, confirmedAtMs)
    clock.report({ isPlaying: true }, confirmedAtMs ?? 1_200)
    expect(clock.isPlaying).toBe(true)
  }
})

test('plays from the second sought after a stop', () => {
  clock.stop(10.2, 0)
  clock.seek(8, 100)
  clock.report({ timeS: 8, isPlaying: true }, 200)
  expect(clock.timeS(300)).toBeCloseTo(8.1)
})
