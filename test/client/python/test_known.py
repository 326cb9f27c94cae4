"""Sets of known words."""

import asyncio
import base64
import json
import random
import unittest
import zlib
from typing import Any

from clip_lookup import AsyncClipLookup, ClipLookup
from clip_lookup.known import KnownWords, pack_ids, unpack_ids
from service import AMPLE_KEY, URL, CountedTransport


class PackedSets(unittest.TestCase):
    def test_any_set_is_packed(self) -> None:
        chance = random.Random(7)
        for count in [0, 1, 2, 10, 300, 3000]:
            for largest in [count, 10**4, 2**31]:
                ids = chance.sample(range(max(largest, count)), count)
                self.assertEqual(unpack_ids(pack_ids(ids)), sorted(ids))

    def test_a_packed_set_is_raw_deflate_of_leb128_differences_in_base64url(self) -> None:
        data = base64.urlsafe_b64decode(pack_ids([300, 5, 6, 5])[2:] + '==')
        self.assertEqual(list(zlib.decompress(data, -15)), [5, 1, 166, 2])

    def test_damaged_sets_are_refused(self) -> None:
        packed = pack_ids(range(0, 9000, 7))
        for text in ['A1', 'p.', 'p.Bw', 'p.a', 'p.ü', packed[:-4], packed[:8]]:
            with self.assertRaisesRegex(ValueError, 'is no packed set'):
                unpack_ids(text)


class Sets(unittest.TestCase):
    def setUp(self) -> None:
        self.transport = CountedTransport()
        self.client = ClipLookup(URL, key=AMPLE_KEY, transport=self.transport)
        self.addCleanup(self.transport.http.close)

    def unknown_count(self, video_id: str, known: KnownWords) -> int:
        """Return the number of different words in a clip that are not in a set."""
        tokens = [
            token
            for cue in self.client.get_transcript(video_id)['cues']
            for token in cue['words']
            if 'wordIds' in token
        ]
        ids = {id for token in tokens for id in token['wordIds']}
        words = self.client.list_words(ids=list(ids))['words'] if ids else []
        new_ids = {word['wordId'] for word in words if not known.has(word)}
        new_tokens = [token for token in tokens if new_ids.issuperset(token['wordIds'])]
        return len({id for token in new_tokens for id in token['wordIds']})

    def test_the_service_knows_the_words_of_a_set_as_the_set_does(self) -> None:
        known = KnownWords('A1', [9, 4])
        known.remove(7)
        known.add(*range(1000, 2500, 3))
        text = known.to_parameter()
        self.assertRegex(text, r'^A1,p\.[\w-]+,-7$')
        self.assertLess(len(text), 200)
        items = self.client.get_feed(known=text, limit=100)['items']
        self.assertGreater(len(items), 3)
        for item in items:
            video_id = item['clip']['videoId']
            expected = self.unknown_count(video_id, known)
            self.assertEqual(item['unknownCount'], expected, video_id)

    def test_an_empty_set_is_a_set_too(self) -> None:
        page = self.client.get_feed(known=KnownWords().to_parameter(), max_unknown=100)
        self.assertTrue(any(item['unknownCount'] > 0 for item in page['items']))

    def test_spellings_are_resolved_in_bulk_and_those_that_name_no_word_are_returned(self) -> None:
        known = KnownWords()
        spellings = ['ran', 'Cats', 'nosuchword', 'a, b', *(f'x{i}' for i in range(130))]
        missing = known.add_spellings(self.client, spellings)
        expected = {'level': None, 'wordIds': [1, 7], 'exceptIds': []}
        self.assertEqual(known.to_json(), expected)
        self.assertEqual(missing[:2], ['nosuchword', 'a, b'])
        self.assertEqual(len(missing), 132)
        self.assertEqual(len(self.transport.paths), 2)
        long = [f'{"食" * 50}{i}' for i in range(40)]
        self.assertEqual(known.add_spellings(self.client, long, language='ja'), long)

        async def ask() -> Any:
            copy = KnownWords()
            async with AsyncClipLookup(URL, key=AMPLE_KEY) as client:
                return await copy.add_spellings(client, spellings), copy.to_json()

        self.assertEqual(asyncio.run(ask()), (missing, expected))

    def test_a_set_survives_json_and_the_text_of_the_parameter(self) -> None:
        known = KnownWords('B1', [3, 1], [8])
        record = json.loads(json.dumps(known.to_json()))
        self.assertEqual(record, {'level': 'B1', 'wordIds': [1, 3], 'exceptIds': [8]})
        self.assertEqual(KnownWords.from_json(record).to_parameter(), 'B1,1,3,-8')
        known.add(*(i * i + 10 for i in range(300)))
        self.assertEqual(KnownWords.parse(known.to_parameter()).to_json(), known.to_json())
        self.assertEqual(KnownWords.parse('B1, C1,A2').level, 'C1')
        with self.assertRaisesRegex(ValueError, '"xyz" is no part of a set'):
            KnownWords.parse('A1,xyz')

    def test_words_are_added_and_removed(self) -> None:
        known = KnownWords('A1')
        cat = self.client.get_word('cat')
        self.assertTrue(known.has(cat))
        known.remove(cat['wordId'])
        self.assertFalse(known.has(cat))
        known.add(cat['wordId'])
        self.assertTrue(known.has(cat))
        self.assertFalse(known.has(self.client.get_word('meticulous')))

    def test_a_set_that_does_not_fit_into_the_parameter_is_refused(self) -> None:
        ids = random.Random(1).sample(range(2**31), 4000)
        with self.assertRaisesRegex(ValueError, 'known has at most 6000'):
            KnownWords(word_ids=ids).to_parameter()
