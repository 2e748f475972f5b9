"""Reads outside data within limits: text, JSON, TOML, and the headers and companions of pictures.

Input that breaks a limit is refused in one sentence, before it can cost much time or memory. The limits are listed in
docs/contract.md, section 10. It imports ``companion.public`` and ``companion.errors``. Every package that opens files
or takes requests may import it, camera, panel and pages too; only ``companion.storage`` reads zips.
"""
