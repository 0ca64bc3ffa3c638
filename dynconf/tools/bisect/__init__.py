"""Which of many differences between two states makes something fail: with few trials, leaving nothing behind.

1. `space` lists the differences of two states, those first that are most likely to matter, and makes the
   state in which only some of them are there.
2. `search` finds the smallest set that makes it fail, given a function that judges a set of names.
3. `trials` is that function: it counts, remembers and repeats runs, and writes them down to go on later.
4. A run is a call of a function (`in_process`), or a process (`command`), whose output `failure` judges.
"""
