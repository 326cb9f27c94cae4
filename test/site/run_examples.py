"""Runs examples one after another in one process: the files that the arguments name.

Writes what each of them raises.
"""

import runpy
import sys
import traceback

has_failed = False
for file in sys.argv[1:]:
    try:
        runpy.run_path(file, run_name="__main__")
    except BaseException:
        has_failed = True
        print(file, traceback.format_exc(), file=sys.stderr)
sys.exit(has_failed)
