"""People at a simulated table: the movements of their hands, the places of cards, and the truth about films.

It knows neither pixels nor games. A game defines the decisions of its people and its places (``people``, ``stage``);
hands, films, patience and visitors are the same for all. A film is prepared beforehand (``script``) or decided while it
is shown (``live_film``).
"""
