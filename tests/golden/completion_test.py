#!/usr/bin/env python3
"""What bash, zsh and fish complete with the scripts of `trtlens completion`; what man and mandoc say of the pages of `trtlens man`.

Usage: completion_test.py TRTLENS
A shell that is not installed is left out, with a line that says so.
"""
import fcntl
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import termios

from terminal import Terminal

PATHS = {"build.log", "build one/", "layers.json"}
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def output(*command, **more):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **more)


class Place:
    """A folder with files to complete, and the environment: the program in the PATH, nothing of the user's shells."""

    def __init__(self, binary, folder):
        self.folder = pathlib.Path(folder)
        for name in ("build.log", "build one/profile.json", "layers.json"):
            (self.folder / "work" / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / "work" / name).write_text("")
        self.work = self.folder / "work"
        self.environment = {"PATH": f"{pathlib.Path(binary).resolve().parent}:/usr/local/bin:/usr/bin:/bin", "HOME": folder,
                            "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder, "ZDOTDIR": folder, "TERM": "dumb", "LC_ALL": "C.UTF-8"}
        self.scripts = {}
        for shell in ("bash", "zsh", "fish"):
            self.scripts[shell] = self.folder / f"completion.{shell}"
            self.scripts[shell].write_text(output(binary, "completion", shell).stdout)

    def run(self, *command):
        return output(*command, cwd=self.work, env=self.environment)


class Prompt:
    """A shell that waits for words; `completed` is what stands there after TAB."""

    # ^X^W writes the line to a file and empties it. Every word that zsh offers goes to another one.
    START = {
        "bash": """PS1='READY>'
bind 'set completion-query-items 0'; bind 'set page-completions off'; bind 'set enable-bracketed-paste off'
dump() { printf %s "$READLINE_LINE" >line.tmp; mv line.tmp line; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\\C-x\\C-w": dump'
""",
        "zsh": """PS1='READY>'; LISTMAX=100000
autoload -Uz compinit; compinit -D -u
bindkey -e
dump() { print -rn -- "$BUFFER" >$HOME/work/line.tmp; mv $HOME/work/line.tmp $HOME/work/line; BUFFER= }
zle -N dump; bindkey '^X^W' dump
compadd() {
  local -a found
  if [[ ${@[1,(i)(-|--)]} != *-(O|A|D)\\ * ]]; then
    builtin compadd -O found "$@"; (($#found)) && print -rl -- $found >>$HOME/offered
  fi
  builtin compadd "$@"
}
""",
    }

    def __init__(self, place, shell):
        self.place, self.terminal = place, Terminal(columns=200)
        start = place.folder / (".zshrc" if shell == "zsh" else "bashrc")
        start.write_text(self.START[shell] + f"source {place.scripts[shell]}\n")
        command = {"bash": ["bash", "--noprofile", "--rcfile", start, "-i"], "zsh": ["zsh", "-d", "-i"]}[shell]
        slave = self.terminal.slave

        def own_terminal():
            os.setsid()
            fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.process = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, cwd=place.work, env=place.environment,
                                        preexec_fn=own_terminal)
        self.is_ready = self.terminal.wait_for(b"READY>")

    def completed(self, words):
        line, offered = self.place.work / "line", self.place.folder / "offered"
        offered.write_text("")
        line.unlink(missing_ok=True)
        os.write(self.terminal.master, words.encode() + b"\t\x18\x17")
        for _ in range(1000):
            if line.exists():
                break
            self.terminal.wait_for(b"\0", seconds=0.02)
        text = line.read_text() if line.exists() else None
        line.unlink(missing_ok=True)
        return text

    def offered(self, words):
        self.completed(words)
        return (self.place.folder / "offered").read_text().splitlines()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.terminal.close()


def bash_offers(place, line):
    """By the variables that bash sets for the function; "<paths>" where it leaves the word to readline."""
    words = [word for part in line.split(" ") for word in (re.findall(r"[=:]|[^=:]+", part) or [""])]
    if line.endswith(("=", ":")):
        words.append("")
    script = f"""source {place.scripts['bash']}
compopt() {{ [[ $2 == default ]] && printf '<paths>\\n'; true; }}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_trtlens trtlens
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    return place.run("bash", "--norc", "--noprofile", "-c", script, "bash", *words).stdout.splitlines()


def fish_offers(place, line):
    done = place.run("fish", "--no-config", "-c", f"source {place.scripts['fish']}; complete -C '{line}'")
    expect(not done.stderr, f"fish, {line!r}: {done.stderr}")
    return [row.split("\t")[0] for row in done.stdout.splitlines()]


def cases(binary):
    """Words, and all that may stand in the place of the last one."""
    rules = output(binary, "rule-ids").stdout.split()
    commands = re.findall(r"(?m)^  ([a-z-]+) {3,}", output(binary, "--help").stdout.split("Subcommands:")[1].split("Examples:")[0])
    sections = re.search(r"none of (.*)", output(binary, "analyze", "x", "--section", "?").stderr).group(1).split(", ")
    options = set(re.findall(r"(?m)^  (?:-\w,)?(--[a-z-]+)", output(binary, "compare", "--help").stdout))
    expect(len(rules) > 100 and len(commands) > 12 and len(sections) > 10 and len(options) > 20, "what there is to complete")
    return [
        ("trtlens ", set(commands)),
        ("trtlens ana", {"analyze"}),
        ("trtlens rule", {"rules"}),  # and no hidden command
        ("trtlens history ", {"add", "list", "show", "trend", "prune", "export"}),
        ("trtlens history add --s", {"--series"}),
        ("trtlens compare --", options),
        ("trtlens compare base/ candidate/ --thr", {"--threshold"}),
        ("trtlens compare --fail-on c", {"cannot-tell"}),
        ("trtlens compare --fail-on=c", {"cannot-tell"}),
        ("trtlens check --fail-on ", {"broken", "cannot-tell", "none"}),
        ("trtlens --te", {"--tee"}),
        ("trtlens --color ", {"auto", "always", "never"}),
        ("trtlens analyze --section ", set(sections)),
        ("trtlens analyze --section time,mod", {"modules"}),
        ("trtlens analyze --section=time,mod", {"modules"}),
        ("trtlens convert --to ", {"csv", "dot", "jsonl", "perfetto", "speedscope"}),
        ("trtlens schema ", {"analyze", "check", "compare", "contract"}),
        ("trtlens completion ", {"bash", "fish", "zsh"}),
        ("trtlens man history-a", {"history-add"}),
        ("trtlens explain ", set(rules)),
        ("trtlens explain reformat-time", {"reformat-time-share"}),
        ("trtlens analyze x --ignore reformat-time", {"reformat-time-share"}),
        ("trtlens analyze --rule-threshold reformat-time-share.maj", {"reformat-time-share.major_share="}),
        ("trtlens analyze ", PATHS),
        ("trtlens analyze layers.json bui", {"build.log", "build one/"}),
        ("trtlens compare --baseline bui", {"build.log", "build one/"}),
        ("trtlens analyze -o lay", {"layers.json"}),
        ("trtlens analyze --top ", set()),
        ("trtlens history show ", set()),
    ]


def test_offers(place, shell, binary):
    prompt = Prompt(place, shell) if shell == "zsh" else None
    if prompt:
        expect(prompt.is_ready, "zsh did not start")
    for line, wanted in cases(binary):
        words = {"bash": bash_offers, "fish": fish_offers}[shell](place, line) if not prompt else prompt.offered(line)
        # One shell says --section=time,modules, another one modules.
        got = {re.sub(r"^(--[\w-]+=)?(.*,)?", "", word.replace("\\ ", " ")) for word in words} - {""}
        if any(word.startswith("--") for word in wanted):
            got = {word.rstrip("=") for word in words if word.startswith("--")}
        if wanted and wanted <= PATHS:
            if shell == "bash":
                wanted = {"<paths>"}
            elif shell == "zsh":  # folders come without the stroke
                wanted = {word.rstrip("/") for word in wanted}
        if wanted == set() and shell == "bash":
            expect("<paths>" not in words, f"bash, {line!r}: paths")
        expect(got == wanted, f"{shell}, {line!r}: {sorted(got)[:12]} for {sorted(wanted)[:12]}")
    if prompt:
        prompt.close()


def test_lines(place, shell):
    """What stands there after TAB, blanks, quotes and all."""
    prompt = Prompt(place, shell)
    expect(prompt.is_ready, f"{shell} did not start")
    for words, wanted in (("trtlens ana", "trtlens analyze "), ("trtlens analyze lay", "trtlens analyze layers.json "),
                          ("trtlens analyze build\\ o", "trtlens analyze build\\ one/"),
                          ("trtlens compare --fail-on=can", "trtlens compare --fail-on=cannot-tell "),
                          ("trtlens analyze --section=time,mod", "trtlens analyze --section=time,modules"),
                          ("trtlens analyze --baseline lay", "trtlens analyze --baseline layers.json "),
                          ("trtlens explain reformat-time", "trtlens explain reformat-time-share "),
                          ("trtlens compare --rule-threshold reformat-time-share.maj", "trtlens compare --rule-threshold reformat-time-share.major_share=")):
        got = prompt.completed(words)
        got = got.rstrip(" ,") if got and "time,mod" in words else got  # zsh has put the next comma
        expect(got == wanted, f"{shell}, {words!r} TAB: {got!r} for {wanted!r}")
    prompt.close()


def pages_of(binary):
    names = re.search(r"none of (.*)", output(binary, "man", "?").stderr).group(1).split(", ")
    return {"": output(binary, "man").stdout, **{name: output(binary, "man", name).stdout for name in names}}


def test_pages(place, binary):
    pages = pages_of(binary)
    expect(len(pages) > 20, f"{len(pages)} pages")
    for name, page in pages.items():
        help_text = output(binary, *(name.split("-", 1) if name.startswith("history-") else [name] * bool(name)), "--help").stdout
        shown = None
        if shutil.which("man"):
            file = place.folder / f"{name or 'trtlens'}.1"
            file.write_text(page)
            done = output("man", "--warnings", "-l", file, env={**place.environment, "MANWIDTH": "300", "PAGER": "cat"})
            expect(done.returncode == 0 and not done.stderr, f"man, {name}: {done.stderr}")
            shown = re.sub(r".\x08|\x1b\[[\d;]*m", "", done.stdout)
        if shutil.which("mandoc"):
            done = output("mandoc", "-T", "lint", "-W", "warning", input=page)
            # A page has no date: the same source gives the same bytes.
            said = [line for line in done.stdout.splitlines() if "missing date" not in line]
            expect(not said, f"mandoc, {name}: {said}")
            shown = shown or re.sub(r".\x08", "", output("mandoc", "-O", "width=300", input=page).stdout)
        if shown:
            for option in re.findall(r"(?m)^  (?:-\w,)?(--[a-z-]+)", help_text):
                expect(re.search(rf"(?m)^ +(-\w, )?{option}\b", shown), f"man, {name}: no {option}")
            examples = re.findall(r"(?m)^  (trt(?:lens|exec) .*)$", help_text.split("Examples:")[-1])
            expect(bool(examples) == ("Examples:" in help_text), f"{name}: no examples")
            for example in examples:
                expect(re.search(rf"(?m)^ +{re.escape(example)}$", shown), f"man, {name}: no example {example!r}")
    if not shutil.which("man") and not shutil.which("mandoc"):
        print("no man and no mandoc: the pages were not looked at")


def test_files(place, binary):
    """What the build installs."""
    folder = place.folder / "share"
    expect(output(binary, "prompt-files", folder).returncode == 0, "prompt-files")
    for path, shell in (("bash-completion/completions/trtlens", "bash"), ("zsh/site-functions/_trtlens", "zsh"),
                        ("fish/vendor_completions.d/trtlens.fish", "fish")):
        expect((folder / path).read_text() == place.scripts[shell].read_text(), path)
    wanted = {f"trtlens-{name}".rstrip("-") + ".1": page for name, page in pages_of(binary).items()}
    expect({file.name: file.read_text() for file in (folder / "man/man1").iterdir()} == wanted, "man pages")
    (place.folder / "no-folder").write_text("")
    done = output(binary, "prompt-files", place.folder / "no-folder")
    expect(done.returncode == 2 and "could not be written" in done.stderr, f"prompt-files into a file: {done}")


def main():
    if len(sys.argv) != 2:
        print(__doc__.strip())
        return 2
    binary = sys.argv[1]
    there = [shell for shell in ("bash", "zsh", "fish") if shutil.which(shell)]
    for shell in {"bash", "zsh", "fish"} - set(there):
        print(f"no {shell}: its completion was not tried")
    with tempfile.TemporaryDirectory() as folder:
        place = Place(binary, folder)
        for shell in there:
            test_offers(place, shell, binary)
            if shell != "fish":
                test_lines(place, shell)
        test_pages(place, binary)
        test_files(place, binary)
    print("\n".join(failures) if failures else f"completion: {', '.join(there)}; pages")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
