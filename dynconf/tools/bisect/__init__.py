"""Which of many differences between two states makes something fail: with few trials, leaving nothing behind.

1. `space` lists the differences of two states, those first that are most likely to matter, and makes the
   state in which only some of them are there.
2. `search` says which set to try next, given the trials so far, and in the end which is the smallest that
   makes it fail. It makes no trial itself.
3. A trial of a set is some runs, which `trials` counts: calls of a function (`in_process`), or processes
   (`command`), whose output `failure` judges. `ahead` has several trials go on at once.
"""
