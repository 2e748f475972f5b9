"""Reads what comes from outside, within limits: text, JSON, TOML, and what stands in and beside pictures.

Whatever breaks a limit is refused in one sentence, before it can cost much time or memory. The limits stand in
docs/contract.md, section 10. It imports ``companion.public`` and ``companion.errors``. Whoever opens a file or takes a
request may import it, camera, panel and pages too; zips are read by ``companion.storage`` alone.
"""
