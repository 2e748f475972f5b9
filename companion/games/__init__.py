"""Games: what each of them promises the referee, and which ones there are.

``protocol`` may import ``companion.public`` alone; a game knows ``protocol`` and ``public`` and no other game. Only
``registry`` names the games, so that everything above works for all of them.
"""
