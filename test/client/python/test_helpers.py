"""The helpers, the subtitle files and the flashcards."""

import asyncio
import copy
import csv
import io
import unittest
from dataclasses import replace
from typing import Any

from clip_lookup import AsyncClipLookup, ClipLookup, InvalidParameterError
from clip_lookup.autocomplete import AsyncAutocomplete, Autocomplete
from clip_lookup.flashcards import Flashcard, flashcard, to_anki, to_csv
from clip_lookup.helpers import (
    find_clips,
    glossary,
    highlight,
    line_at,
    segments,
    thumbnail_url,
    watch_url_at,
    word_at,
    words_by_spelling,
)
from clip_lookup.operations import FoundWord
from clip_lookup.subtitles import to_srt, to_web_vtt
from clip_lookup.transport import Request, Response
from service import AMPLE_KEY, URL, CountedTransport


def transcript_of(*lines: str) -> Any:
    """Return a transcript of these lines, of two seconds each, one after another."""
    cues = [
        {'tStart': 2 * i, 'tEnd': 2 * i + 2, 'text': text, 'words': []}
        for i, text in enumerate(lines)
    ]
    return {'clipId': 'c', 'videoId': 'v', 'language': 'en', 'cues': cues}


class ServiceTest(unittest.TestCase):
    def setUp(self) -> None:
        self.transport = CountedTransport()
        self.client = ClipLookup(URL, key=AMPLE_KEY, transport=self.transport)
        self.addCleanup(self.transport.http.close)
        self.transcript = self.client.get_transcript('cat-sitter')
        self.transport.paths.clear()


class Helpers(ServiceTest):
    def test_words_by_their_spellings_take_one_request_and_have_meanings(self) -> None:
        words, missing = words_by_spelling(self.client, ['Cats', 'nosuchword', 'ran'], gloss='es')
        self.assertEqual([word['spelling'] for word in words], ['Cats', 'ran'])
        self.assertEqual(words[0]['meaning'], 'gato')
        self.assertEqual(missing, ['nosuchword'])
        self.assertEqual(len(self.transport.paths), 1)

    def test_the_glossary_of_a_transcript_takes_one_request(self) -> None:
        words = glossary(self.client, self.transcript, gloss='es')
        self.assertEqual(len(self.transport.paths), 1)
        self.assertEqual((words[7]['word'], words[7]['meaning']), ('cat', 'gato'))
        tokens = [token for cue in self.transcript['cues'] for token in cue['words']]
        ids = {id for token in tokens for id in token.get('wordIds', [])}
        self.assertEqual(set(words), ids)

        async def ask() -> Any:
            async with AsyncClipLookup(URL, key=AMPLE_KEY) as client:
                return await glossary(client, self.transcript, gloss='es')

        self.assertEqual(asyncio.run(ask()), words)

    def test_a_glossary_of_more_words_takes_a_request_for_each_100(self) -> None:
        transcript = copy.deepcopy(self.transcript)
        transcript['cues'][0]['words'][0]['wordIds'] = [*range(1000, 1200), 7]
        self.assertIn(7, glossary(self.client, transcript))
        self.assertEqual(len(self.transport.paths), 3)

    def test_places_count_code_points(self) -> None:
        self.assertEqual(highlight('🐈🐈 cat 🐈', 3, 6), ('🐈🐈 ', 'cat', ' 🐈'))
        page = self.client.list_word_clips('look after')
        for occurrence in [each for item in page['items'] for each in item['occurrences']]:
            parts = highlight(occurrence['text'], occurrence['start'], occurrence['end'])
            self.assertEqual(parts.match.lower(), occurrence['form'].lower())

    def test_segments_divide_a_line_into_its_words_and_the_rest(self) -> None:
        parts = segments(self.transcript['cues'][0])
        expected = 'Who, ,is, ,looking, ,after, ,the, ,cat,?'.split(',')
        self.assertEqual([part.text for part in parts], expected)
        self.assertEqual(parts[4].index, 2)
        self.assertIs(parts[4].word, self.transcript['cues'][0]['words'][2])

    def test_segments_place_the_words_of_older_transcripts_too(self) -> None:
        words = [{'text': text, 'tStart': 0, 'tEnd': 1} for text in ['on', 'nowhere', 'mat']]
        cue: Any = {'tStart': 0, 'tEnd': 1, 'text': '🐈 on a mat', 'words': words}
        parts = [(part.text, part.index) for part in segments(cue)]
        self.assertEqual(parts, [('🐈 ', -1), ('on', 0), (' a ', -1), ('mat', 2)])

    def test_a_time_belongs_to_the_line_and_the_word_that_have_begun_and_not_ended(self) -> None:
        first, second = self.transcript['cues'][:2]
        self.assertIs(line_at(self.transcript, first['tStart']), first)
        self.assertIs(line_at(self.transcript, second['tStart']), second)
        self.assertIsNone(line_at(self.transcript, 1000))
        word = first['words'][1]
        self.assertIs(word_at(self.transcript, word['tStart']), word)
        self.assertIsNot(word_at(self.transcript, word['tEnd']), word)
        self.assertIsNone(word_at(self.transcript, 1000))

    def test_links_lead_to_the_second_on_youtube_and_on_other_platforms(self) -> None:
        clip: Any = self.client.get_clip('cat-sitter')
        self.assertEqual(
            watch_url_at(clip, 12.48), 'https://www.youtube.com/watch?v=cat-sitter&t=12s'
        )
        self.assertEqual(thumbnail_url(clip), 'https://i.ytimg.com/vi/cat-sitter/hqdefault.jpg')
        other: Any = {
            **clip,
            'watchUrl': 'https://notyoutube.com/w/1',
            'embedUrl': 'https://notyoutube.com/e/1',
        }
        self.assertEqual(watch_url_at(other, 12.48), 'https://notyoutube.com/w/1#t=12.48')
        self.assertEqual(watch_url_at(other, 5025.678), 'https://notyoutube.com/w/1#t=5025.678')
        self.assertIsNone(thumbnail_url(other))


class Searches(ServiceTest):
    def test_clips_are_found_by_a_word_first_and_in_sentences_where_there_is_none(self) -> None:
        by_word = find_clips(self.client, 'looking after', known=['A1'], context=True)
        assert by_word.word is not None
        self.assertEqual(by_word.word['word'], 'look after')
        first = by_word.items[0]
        self.assertEqual((first.clip['videoId'], first.count), ('cat-sitter', 2))
        self.assertIn('sentence', first.moments[0])
        self.assertIsNotNone(first.unknown_count)
        self.assertEqual(len(self.transport.paths), 1)
        in_sentences = find_clips(self.client, 'out of the case', limit=1)
        self.assertIsNone(in_sentences.word)
        first = in_sentences.items[0]
        self.assertEqual((first.clip['videoId'], first.count), ('watchmaker', 1))
        self.assertIsNone(first.unknown_count)
        self.assertRaises(InvalidParameterError, find_clips, self.client, 'x' * 200)

        async def ask() -> Any:
            async with AsyncClipLookup(URL, key=AMPLE_KEY) as client:
                return await find_clips(client, 'out of the case', limit=1)

        self.assertEqual(asyncio.run(ask()), in_sentences)


class Completions(ServiceTest):
    def names(self, words: list[FoundWord] | None) -> list[str]:
        return [word['word'] for word in words or []]

    def test_longer_texts_are_answered_locally(self) -> None:
        complete = Autocomplete(self.client, {'level': ['A1', 'B1']})
        words = complete('loo')
        self.assertEqual(self.names(words), ['look', 'look after'])
        self.assertEqual([complete('look'), complete('LOOK '), complete(' ')], [words, words, []])
        self.assertEqual(self.transport.paths, ['/words?level=A1%2CB1&q=loo'])

    def test_a_text_that_could_fit_a_form_or_a_meaning_is_asked_for(self) -> None:
        complete = Autocomplete(self.client)
        self.assertGreater(len(complete('r')), 1)
        self.assertIn('run', self.names(complete('ra')))
        self.assertEqual(complete('zz') + complete('zzz'), [])
        self.assertEqual(self.transport.paths, ['/words?q=r', '/words?q=ra', '/words?q=zz'])
        self.transport.paths.clear()
        complete = Autocomplete(self.client, {'in_': 'meanings'})
        self.assertEqual(complete('to look'), complete('to look'))
        self.assertEqual(len(self.transport.paths), 2)

    def test_an_async_completion_asks_only_for_the_last_text_after_a_pause(self) -> None:
        paths = []

        async def send(request: Request) -> Response:
            paths.append(request.url.removeprefix(URL))
            if 'slow' in request.url:
                await asyncio.sleep(60)
            return self.transport.http(request)

        async def ask() -> None:
            client = AsyncClipLookup(URL, key=AMPLE_KEY, transport=send)
            complete = AsyncAutocomplete(client, delay_s=0.02)
            early, words = await asyncio.gather(complete('l'), complete('loo'))
            self.assertIsNone(early)
            self.assertEqual(self.names(words), ['look', 'look after'])
            self.assertEqual(await complete('look'), words)
            self.assertEqual(paths, ['/words?q=loo'])
            slow = asyncio.create_task(complete('slow'))
            while len(paths) < 2:
                await asyncio.sleep(0.001)
            self.assertEqual(await complete('look'), words)
            self.assertIsNone(await slow)
            slow = asyncio.create_task(complete('slow'))
            await asyncio.sleep(0)
            slow.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await slow
            with self.assertRaises(InvalidParameterError):
                await complete('x' * 200)

        asyncio.run(ask())


class Subtitles(unittest.TestCase):
    lines = transcript_of('A < B & C --> D', 'two\n\nlines', '')

    def test_a_srt_file_has_a_number_for_each_line(self) -> None:
        expected = (
            '1\n00:00:00,000 --> 00:00:02,000\nA < B & C --> D\n\n'
            '2\n00:00:02,000 --> 00:00:04,000\ntwo\nlines\n'
        )
        self.assertEqual(to_srt(self.lines), expected)

    def test_a_web_vtt_file_is_escaped(self) -> None:
        expected = (
            'WEBVTT\n\n00:00:00.000 --> 00:00:02.000\nA &lt; B &amp; C --&gt; D\n'
            '\n00:00:02.000 --> 00:00:04.000\ntwo\nlines\n'
        )
        self.assertEqual(to_web_vtt(self.lines), expected)

    def test_times_are_written_in_full(self) -> None:
        late = transcript_of('x')
        late['cues'][0].update(tStart=3599.9996, tEnd=3725.25)
        self.assertEqual(to_srt(late), '1\n01:00:00,000 --> 01:02:05,250\nx\n')

    def test_translations_take_the_place_of_the_lines_that_have_them(self) -> None:
        transcript = transcript_of('One', 'Two')
        transcript['cues'][1]['translations'] = {'es': 'Dos'}
        expected = '1\n00:00:02,000 --> 00:00:04,000\nDos\n'
        self.assertEqual(to_srt(transcript, translation='es'), expected)


class Flashcards(ServiceTest):
    def new_card(self, context: bool = True, transcript: Any = None) -> Flashcard:
        page = self.client.list_word_clips('look after', context=context)
        item = page['items'][0]
        return flashcard(page['word'], item['clip'], item['occurrences'][0], transcript)

    def test_a_card_has_the_sentence_with_the_word_its_meaning_and_a_link(self) -> None:
        card = self.new_card()
        self.assertEqual((card.word, card.level, card.form), ('look after', 'B1', 'looking after'))
        self.assertEqual(card.meaning, 'to take care of')
        self.assertEqual(card.sentence, 'Who is looking after the cat?')
        self.assertEqual((card.translation, card.reading), (None, None))
        self.assertRegex(card.link, r'watch\?v=cat-sitter&t=\d+s$')
        self.assertEqual(highlight(card.sentence, card.start, card.end).match, 'looking after')
        self.assertEqual(self.new_card(context=False), card)

    def test_the_focus_word_of_a_clip_in_the_feed_makes_a_card_if_it_has_its_context(self) -> None:
        def first_with_focus(context: bool) -> Any:
            items = self.client.get_feed(seed='s', context=context)['items']
            return next(item for item in items if item['focusWord'])

        item = first_with_focus(context=True)
        card = flashcard(item['focusWord'], item['clip'], item['focusWord'])
        expected = (item['focusWord']['word'], item['focusWord']['sentence']['text'])
        self.assertEqual((card.word, card.sentence), expected)
        item = first_with_focus(context=False)
        with self.assertRaisesRegex(ValueError, 'requested with context=True'):
            flashcard(item['focusWord'], item['clip'], item['focusWord'])

    def test_the_reading_comes_from_the_tokens_of_the_occurrence(self) -> None:
        transcript = copy.deepcopy(self.transcript)
        for token in [token for cue in transcript['cues'] for token in cue['words']]:
            if token['text'] == 'looking':
                token['reading'] = 'LOO-king'
        self.assertEqual(self.new_card(transcript=transcript).reading, 'LOO-king after')

    def test_a_csv_file_is_read_as_it_is_meant_and_holds_no_formula(self) -> None:
        sentence = 'Say "a, b"\nnow'
        card = replace(self.new_card(), sentence=sentence, meaning='=HYPERLINK(1)')
        rows = list(csv.DictReader(io.StringIO(to_csv([card]), newline='')))
        self.assertEqual(len(rows), 1)
        self.assertEqual(rows[0]['sentence'], sentence)
        self.assertEqual(rows[0]['meaning'], "'=HYPERLINK(1)")

    def test_a_file_for_anki_has_one_escaped_row_for_each_card(self) -> None:
        card = replace(self.new_card(), meaning='a <b>\ttab', sentence='1 < 2', start=4, end=5)
        rows = to_anki([card, card]).split('\n')
        expected = '#columns:Sentence\tWord\tReading\tMeaning\tTranslation\tSource'
        self.assertEqual(rows[:3], ['#separator:tab', '#html:true', expected])
        cells = ['1 &lt; <b>2</b>', 'look after', '', 'a &lt;b&gt; tab']
        self.assertEqual(rows[3].split('\t')[:4], cells)
        self.assertEqual(rows[4], rows[3])
        # Anki takes a line that begins with # for a comment.
        hash_card = replace(card, sentence='#1 hit', start=3, end=6)
        self.assertIn('\n&#35;1 <b>hit</b>\t', to_anki([hash_card]))
