"""Computer vision: from the camera's frames to the cards on the table.

The package imports only ``companion.public``, ``companion.reading`` and ``companion.errors``. It runs in its own
process, so that a camera that crashes or hangs does not stop the referee. Importing it does not load OpenCV: each name
below is loaded on first use.

    >>> import numpy as np
    >>> import vision
    >>> from companion.public.codes import StickerCodes
    >>> from companion.public.layout import Layout
    >>> dark = vision.make_frame(np.zeros((480, 640), np.uint8), taken_s=0.0)
    >>> table = Layout((900, 600), ())
    >>> [one.lost.value for one in vision.observe_frames([dark], table, StickerCodes.of(()))]
    ['dark']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.public.lazy import lazy

if TYPE_CHECKING:
    from companion.public.table import Observation as Observation
    from vision.camera.frame import Frame as Frame, make_frame as make_frame
    from vision.camera.sources import open_source as open_source
    from vision.codes.scan import scan as scan
    from vision.process.supervisor import VisionProcess as VisionProcess, prespawn as prespawn
    from vision.tracking.observer import observe_frames as observe_frames
else:
    __getattr__, __dir__ = lazy(
        __name__,
        {
            "Frame": "vision.camera.frame",
            "Observation": "companion.public.table",
            "VisionProcess": "vision.process.supervisor",
            "make_frame": "vision.camera.frame",
            "observe_frames": "vision.tracking.observer",
            "open_source": "vision.camera.sources",
            "prespawn": "vision.process.supervisor",
            "scan": "vision.codes.scan",
        },
    )
