"""Synthetic pictures of a table: cards, light and hands, seen by a simulated camera.

Imports ``vision.camera``, ``geometry`` and ``codes``, and does not depend on the observer.

    >>> from companion.public.layout import Layout
    >>> from companion.public.table import Token
    >>> from vision.synthetic import CameraModel, DrawnCard, RoomLight, Scene
    >>> scene = Scene(Layout((900, 600), ()), CameraModel(size_px=(640, 480)), seed=1)
    >>> card = DrawnCard(Token("C11"), x_mm=450, y_mm=300)
    >>> picture = scene.render([card], light=RoomLight(level=0.5))
    >>> picture.shape, picture.dtype.name
    ((480, 640), 'uint8')
    >>> [truth.visible for truth in scene.truth([card])]
    [1.0]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from vision.synthetic.camera_model import CameraModel as CameraModel
    from vision.synthetic.compositing import DrawnCard as DrawnCard
    from vision.synthetic.hands import HandPose as HandPose
    from vision.synthetic.lighting import RoomLight as RoomLight
    from vision.synthetic.scene import Scene as Scene, VisibleCard as VisibleCard
    from vision.synthetic.source import SimulatedTable as SimulatedTable
    from vision.synthetic.textures import CardPrint as CardPrint
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "CameraModel": "vision.synthetic.camera_model",
            "CardPrint": "vision.synthetic.textures",
            "DrawnCard": "vision.synthetic.compositing",
            "HandPose": "vision.synthetic.hands",
            "RoomLight": "vision.synthetic.lighting",
            "Scene": "vision.synthetic.scene",
            "SimulatedTable": "vision.synthetic.source",
            "VisibleCard": "vision.synthetic.scene",
        },
    )
