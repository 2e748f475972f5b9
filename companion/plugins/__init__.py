"""The companion's own plug-ins, a folder each: with its pages, words and commands. Nothing imports them; each is found
by its entry point, as those of other packages are (``companion.public.plugins``).
"""
