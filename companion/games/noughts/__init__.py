"""A toy game: noughts and crosses around an arrow that is turned and a star that is lifted.

The board has squares of 45 mm. Two seats have four counters each. The arrow
lies first, then the star beside it. In a turn somebody lays a counter next to what lies there (a point for each of his
own that it touches), or turns the arrow by a quarter clockwise (a point for each of his own in the line that it points
along), or lifts the star when two of his own touch it (three points). All counters laid, the match is over.
"""
