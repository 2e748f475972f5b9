"""What happens if it is done? Carrying a move out, lawful or not.

It may ask ``rules``; the referee decides, and the figure stands on the table either way.
"""
