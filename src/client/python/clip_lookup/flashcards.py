"""Flashcards from occurrences of words."""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass

from ._languages import separator_of
from .helpers import highlight, watch_url_at
from .operations import FeedClip, FocusWord, Occurrence, SentenceMatch, Transcript, Word


@dataclass(frozen=True)
class Flashcard:
    """A word in a sentence from a clip, for a program that repeats cards."""

    word: str
    level: str
    meaning: str
    #: The sentence, with the position of the word in it, in code points.
    sentence: str
    start: int
    end: int
    #: The form of the word that is spoken in the sentence.
    form: str
    #: The reading of the form, if the transcript contains it.
    reading: str | None
    translation: str | None
    #: The address of the clip at its source, starting at the sentence.
    link: str
    title: str
    channel: str


def flashcard(
    word: Word | FocusWord,
    clip: FeedClip,
    occurrence: Occurrence | SentenceMatch | FocusWord,
    transcript: Transcript | None = None,
) -> Flashcard:
    """Return a flashcard for a word in one of its occurrences. With `context=True`, the card has
    the whole sentence and its translation. The reading needs the transcript.

    :raises ValueError: the occurrence is a focus word that was requested without `context=True`
    """
    if 'text' not in occurrence:
        raise ValueError('a focus word has a sentence only if the feed is requested with context=True')
    place = occurrence.get('sentence') or occurrence
    return Flashcard(
        word=word['word'],
        level=word['level'],
        meaning=word['meaning'],
        sentence=place['text'],
        start=place['start'],
        end=place['end'],
        form=highlight(occurrence['text'], occurrence['start'], occurrence['end']).match,
        reading=_reading_in(transcript, occurrence) if transcript else None,
        translation=occurrence['sentence']['translation'] if 'sentence' in occurrence else None,
        link=watch_url_at(clip, place['tStart']),
        title=clip['title'],
        channel=clip['channel']['name'],
    )


def _reading_in(transcript: Transcript, occurrence: Occurrence | SentenceMatch | FocusWord) -> str | None:
    """Return the readings of the tokens that are said in an occurrence."""
    tokens = [
        token
        for cue in transcript['cues']
        for token in cue['words']
        if token['tStart'] >= occurrence['tStart'] and token['tEnd'] <= occurrence['tEnd']
    ]
    if not any('reading' in token for token in tokens):
        return None
    separator = separator_of(transcript['language'])
    return separator.join(token.get('reading') or token['text'] for token in tokens)


def to_csv(cards: Iterable[Flashcard]) -> str:
    """Write flashcards as a CSV file with a header (RFC 4180), for spreadsheets."""
    names = (
        *('word', 'level', 'meaning', 'form', 'reading', 'sentence'),
        *('translation', 'link', 'title', 'channel'),
    )
    file = io.StringIO()
    writer = csv.writer(file, lineterminator='\r\n')
    writer.writerow(names)
    for card in cards:
        cells = [getattr(card, name) or '' for name in names]
        # Spreadsheets compute cells that look like a formula.
        writer.writerow(re.sub(r'^(?=[=+\-@\t\r])', "'", cell) for cell in cells)
    return file.getvalue()


def to_anki(cards: Iterable[Flashcard]) -> str:
    """Write flashcards as a text file that Anki imports, with the word in bold
    (https://docs.ankiweb.net/importing/text-files.html).
    """
    columns = ('Sentence', 'Word', 'Reading', 'Meaning', 'Translation', 'Source')
    lines = ['#separator:tab', '#html:true', '#columns:' + '\t'.join(columns)]
    for card in cards:
        before, match, after = highlight(card.sentence, card.start, card.end)
        sentence = f'{_html(before)}<b>{_html(match)}</b>{_html(after)}'
        # Anki skips lines that begin with #.
        sentence = re.sub('^#', '&#35;', sentence)
        cells = [card.word, card.reading, card.meaning, card.translation]
        source = f'<a href="{_html(card.link)}">{_html(f"{card.title} · {card.channel}")}</a>'
        lines.append('\t'.join([sentence, *[_html(cell or '') for cell in cells], source]))
    return '\n'.join(lines) + '\n'


def _html(text: str) -> str:
    # An apostrophe stays, as in the files of the client for JavaScript.
    return re.sub(r'\s+', ' ', html.escape(text, quote=False).replace('"', '&quot;'))
