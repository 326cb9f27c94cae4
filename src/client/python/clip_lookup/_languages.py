"""How languages are written."""

from __future__ import annotations


def separator_of(language: str) -> str:
    """Return what stands between the words of a language: a space or, in Japanese and Chinese,
    nothing.
    """
    return '' if language in ('ja', 'zh') else ' '
