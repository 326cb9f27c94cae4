"""Transcripts as subtitle files."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .operations import Cue, Transcript


def to_srt(transcript: Transcript, *, translation: str | None = None) -> str:
    """Write a transcript as a SubRip file (.srt). With `translation`, it has the translations in
    this language instead of the lines, and leaves out lines that have none.
    """
    lines = enumerate(_shown_lines(transcript, translation), 1)
    return '\n'.join(f'{i}\n{_times(cue, ",")}\n{text}\n' for i, (cue, text) in lines)


def to_web_vtt(transcript: Transcript, *, translation: str | None = None) -> str:
    """Write a transcript as a WebVTT file (.vtt; https://www.w3.org/TR/webvtt1/). `translation` is
    as in `to_srt`.
    """
    parts = ['WEBVTT\n']
    for cue, text in _shown_lines(transcript, translation):
        escaped_text = text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')
        parts.append(f'\n{_times(cue, ".")}\n{escaped_text}\n')
    return ''.join(parts)


def _shown_lines(transcript: Transcript, translation: str | None) -> Iterator[tuple[Cue, str]]:
    for cue in transcript['cues']:
        translations = cue.get('translations', {})
        text = cue['text'] if translation is None else translations.get(translation, '')
        # An empty line would end the cue.
        if text := re.sub(r'(\s*\n)+', '\n', text).strip():
            yield cue, text


def _times(cue: Cue, point: str) -> str:
    return f'{_clock(cue["tStart"], point)} --> {_clock(cue["tEnd"], point)}'


def _clock(time_s: float, point: str) -> str:
    """Write a time in seconds as hours, minutes, seconds and milliseconds."""
    seconds, ms = divmod(round(time_s * 1000), 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f'{hours:02}:{minutes:02}:{seconds:02}{point}{ms:03}'
