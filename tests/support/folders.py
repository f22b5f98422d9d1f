"""The folders of the repository that tests read: pages, examples, the kernel's sources."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
EXAMPLES = ROOT / "examples"
KERNEL = ROOT / "dlx" / "cpp"
SUPPORT = ROOT / "tests" / "support"
PAGES = [ROOT / "README.md", *sorted(DOCS.glob("*.md"))]
