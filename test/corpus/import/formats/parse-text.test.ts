import { expect, test } from 'vitest'
import { CueTally } from '#corpus/import/cue-tally.ts'
import { parseText } from '#corpus/import/formats/parse-text.ts'

const parse = (text: string) => parseText(text, 'en', new CueTally())

test.each([
  ['WEBVTT', 'vtt'],
  ['WEBVTT\tA title\n\n', 'vtt'],
  ['WEBVTT\r\n\r\n00:01.000 --> 00:02.000\r\nHi', 'vtt'],
  ['1\n00:00:01,000 --> 00:00:02,000\nHi', 'srt'],
  ['\n\n00:00:01.000-->00:00:02.000\nHi', 'srt'],
  ['[]', 'words'],
  ['\n[ [" Hi", 0, 1] ]', 'words'],
  ['[{"word": "Hi", "start": 0, "end": 1}]', 'word-objects'],
  ['{"words": [{"word": "Hi", "start": 0, "end": 1}]}', 'word-objects'],
  ['{"segments": []}', 'whisper'],
  ['[{"start": 0, "end": 1, "text": "Hi", "words": []}]', 'whisper'],
  ['{"transcription": []}', 'whisper.cpp'],
  ['{"wireMagic": "pb3", "events": []}', 'json3'],
  ['0:00:01.000,0:00:02.000\nHi', 'sbv'],
  ['00:00:01.000\nHi', 'starts'],
  ['*TC 00:00:02;24\nHi', 'stc'],
  ['start\tend\ttext\n0\t10\tHi', 'tsv'],
  ['<?xml version="1.0"?><timedtext format="3"></timedtext>', 'timedtext'],
  ['<transcript><text start="0" dur="1">Hi</text></transcript>', 'timedtext'],
  ['<tt xmlns="http://www.w3.org/ns/ttml"></tt>', 'ttml'],
  ['<window><time begin="1" end="2">Hi', 'realtext'],
  ['[Music]\n\n1\n00:00:01,000 --> 00:00:02,000\nHi', 'srt'],
])('%j is %s', (text, format) => expect(parse(text).format).toBe(format))

test.each([
  ['', 'is empty'],
  [' \n', 'is empty'],
  ['WEBVTTX\n\nHi', 'is not a subtitle file'],
  ['webvtt', 'is not a subtitle file'],
  ['[Music]', 'is not a subtitle file'],
  ['{"segments": [', 'is invalid or truncated JSON'],
  ['{"id": "v", "title": "T", "channel": "C"}', 'describes a video'],
  ['{"playabilityStatus": {}}', 'describes a video'],
  ['{"a": 1}', 'is JSON in an unknown format'],
  ['[1, 2]', 'is a JSON array in an unknown format'],
  ['{1}{25}Hi', 'is MicroDVD'],
  ['[10][25]Hi', 'is MPL2'],
  ['[00:01:00]Hi', 'is LRC lyrics'],
  ['Scenarist_SCC V1.0\n\n00:00:01:00\t94ae', 'is SCC'],
])('%j is refused', (text, reason) => expect(() => parse(text)).toThrow(reason))
