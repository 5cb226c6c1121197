"""Hooks of mkdocs: the README is the first page, and links out of docs/ lead to the repository."""
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LINK = re.compile(r"(\]\()((?:\.\./)*)([^)#\s:]*)((?:#[^)]*)?\))")


def on_files(files, config):
    files.append(File.generated(config, "index.md", content=(ROOT / "README.md").read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown, page, config, files):
    folder = ROOT if page.file.src_uri == "index.md" else (ROOT / "docs" / page.file.src_uri).parent

    def led(match):
        target = (folder / (match.group(2) + match.group(3))).resolve()
        if not match.group(3) or not target.is_relative_to(ROOT) or not target.exists():
            return match.group(0)
        path = target.relative_to(ROOT)
        if path.parts[0] == "docs" and target.is_file():
            inside = path.relative_to("docs")
            up = "../" * (len(pathlib.PurePath(page.file.src_uri).parts) - 1)
            return f"{match.group(1)}{up}{inside.as_posix()}{match.group(4)}"
        return f"{match.group(1)}{config.repo_url}/blob/main/{path.as_posix()}{match.group(4)}"

    return LINK.sub(led, markdown)
