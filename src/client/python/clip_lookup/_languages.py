"""The writing of languages."""

from __future__ import annotations


def separator_of(language: str) -> str:
    """Return the text between the words of a language: none in Japanese and Chinese."""
    return '' if language in ('ja', 'zh') else ' '
