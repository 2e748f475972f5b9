"""A deck of 54 cards that can be laid in the order of their numbers; its names and needs are nobody's facts."""

from __future__ import annotations

from typing import Any

FAMILIES = ("tools", "food", "society", "science", "techniques", "culture", "movement")

# English/French, in the order of their numbers, a paragraph an era.
NAMES = """
Australopithecus/Australopithèque Band/Bande Gathering/Cueillette Nomadism/Nomadisme Scavenging/Charognage
Chopper/Galet_taillé Digging_stick/Bâton_à_fouir Hunting/Chasse Shelter/Abri

Homo_erectus/Homo_erectus Fire/Feu Cooking/Cuisson Hand_axe/Biface Hearth/Foyer Spear/Épieu
Thread_and_rope/Fil_et_corde Clothing/Vêtement Clan/Clan

Homo_sapiens/Homo_sapiens Language/Langage Bow/Arc Needle/Aiguille Cave_painting/Peinture_rupestre Flute/Flûte
Burial/Sépulture Fishing/Pêche Raft/Radeau

Village/Village Farming/Agriculture Herding/Élevage Pottery/Poterie Weaving/Tissage Granary/Grenier
Barter/Troc Megaliths/Mégalithes Sailing/Navigation_à_voile

City/Ville Writing/Écriture Wheel/Roue Bronze/Bronze Irrigation/Irrigation Law/Loi Mathematics/Mathématiques
Plough/Charrue Road/Route

Philosophy/Philosophie Iron/Fer Coinage/Monnaie Theatre/Théâtre Democracy/Démocratie Aqueduct/Aqueduc
Astronomy/Astronomie Medicine/Médecine Library/Bibliothèque
""".strip().split("\n\n")


def demo_deck() -> dict[str, Any]:
    """The deck in the form of a deck file."""
    cards = []
    for era, names in enumerate(NAMES, 1):
        for number, pair in enumerate(names.split(), 1):
            english, french = (name.replace("_", " ") for name in pair.split("/"))
            cards.append(
                {
                    "id": f"{era}-{number}",
                    "name": {"en": english, "fr": french},
                    "family": FAMILIES[(era * 3 + (number - 1) // 3) % 7],  # three after each other make a series
                    "prerequisites": _needs(era, number),
                    "source": "authored",
                }
            )
    return {"deck": {"name": "Demo deck", "edition": "demo"}, "card": cards}


def _needs(era: int, number: int) -> list[str]:
    if era == 1:
        return {4: ["1-2"], 6: ["1-1"], 7: ["1-6"], 8: ["1-2", "1-5"], 9: ["1-4", "1-6"]}.get(number, [])
    below = sorted({(number * 2) % 9 + 1, (number * 4 + era) % 9 + 1} if number % 3 else {number})
    return [f"{era - 1}-{n}" for n in below] + ([f"{era}-{number - 1}"] if number % 4 == 2 else [])
