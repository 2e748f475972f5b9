"""What happens if it is done? Carrying a move out, lawful or not.

It may ask ``rules``; the referee decides, and tile and stone lie on the table either way.
"""
