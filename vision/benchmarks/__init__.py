"""How well and how fast the observer sees, each figure beside a baseline of the same run.

The highest floor of ``vision``: it may import all of it, and nothing imports it but the command line.
"""
