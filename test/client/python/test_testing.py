"""The service in memory for the tests of apps."""

import asyncio
import unittest
from typing import Any

from clip_lookup import (
    AsyncClipLookup,
    ClipLookup,
    DeadlineError,
    InvalidParameterError,
    NotFoundError,
    QuotaExceededError,
    UnavailableError,
)
from clip_lookup.flashcards import flashcard
from clip_lookup.testing import SampleService


class Sample(unittest.TestCase):
    def setUp(self) -> None:
        self.service = SampleService()
        self.client = self.new_client()

    def new_client(self) -> ClipLookup:
        service = self.service
        return ClipLookup(service.base_url, transport=service.transport, retries=1)

    def test_pages_laid_end_to_end_hold_every_clip_once(self) -> None:
        video_ids = [
            item['clip']['videoId']
            for item in self.client.items('get_feed', {'limit': 3, 'exclude': 'en-my-morning'})
        ]
        self.assertEqual(len(video_ids), 7)
        self.assertEqual(len(set(video_ids)), 7)
        self.assertNotIn('en-my-morning', video_ids)
        self.assertEqual(len(self.service.requests), 3)

    def test_a_card_can_be_made_from_the_sample(self) -> None:
        page = self.client.list_word_clips('looks after')
        item = page['items'][0]
        card = flashcard(page['word'], item['clip'], item['occurrences'][0])
        self.assertEqual((card.word, card.form), ('look after', 'looks after'))

    def test_a_word_that_is_said_in_several_tokens_is_found_once_in_each_place(self) -> None:
        for word, forms in {'阿吽の呼吸': ['阿吽の呼吸'] * 2, '待つ': ['待って']}.items():
            items = self.client.list_word_clips(word, language='ja')['items']
            occurrences = [each for item in items for each in item['occurrences']]
            self.assertEqual([each['form'] for each in occurrences], forms)
            texts = [each['text'][each['start'] : each['end']] for each in occurrences]
            self.assertEqual(texts, forms)

    def test_what_does_not_exist_is_not_found_and_what_is_misspelled_is_refused(self) -> None:
        self.assertRaises(NotFoundError, self.client.get_clip, 'nosuchclip')
        self.assertRaises(NotFoundError, self.client.get_word, 'nosuchword')
        with self.assertRaises(InvalidParameterError) as context:
            self.client.call('list_words', {'lang': 'en'})
        self.assertEqual(context.exception.parameter, 'lang')

    def test_the_next_requests_fail_as_a_test_wants_and_then_no_more(self) -> None:
        self.service.fail_next(429, code='quota_exceeded', retry_after=86_400)
        with self.assertRaises(QuotaExceededError) as context:
            self.client.get_feed()
        self.assertEqual(context.exception.retry_after, 86_400)
        other = self.new_client()
        self.service.fail_next(503, times=2)
        self.assertRaises(UnavailableError, other.get_feed)
        self.service.fail_next('network')
        self.assertTrue(other.get_feed()['items'])
        self.assertEqual(len(self.service.requests), 5)

    def test_as_many_look_ups_are_refused_as_a_test_wants_but_never_the_usage(self) -> None:
        self.service.fail_next(429, times=2)
        self.client.get_feed()
        self.assertEqual(self.service.requests.count('/feed'), 3)
        self.service.fail_next(503, times=2)
        self.assertRaises(UnavailableError, self.client.get_usage)

    def test_slow_responses_meet_the_deadline_of_a_call(self) -> None:
        self.service.delay_s = 60
        with self.assertRaises(DeadlineError):
            self.client.get_feed(timeout_s=0.05)
        self.service.delay_s = 0.005
        self.assertEqual(self.client.get_feed()['seed'], 'sample')

    def test_the_async_client_has_the_same_service(self) -> None:
        async def ask() -> Any:
            service = self.service
            client = AsyncClipLookup(service.base_url, transport=service.async_transport)
            service.delay_s = 60
            with self.assertRaises(DeadlineError):
                await client.get_feed(timeout_s=0.05)
            service.delay_s = 0
            service.fail_next(503)
            return await client.get_transcript('ja-the-rakugo-hour')

        self.assertEqual(asyncio.run(ask()), self.client.get_transcript('ja-the-rakugo-hour'))
