"""A log of any size with the mix of a real build: its head, its body again and again, its end."""
HEAD, TAIL = 400, 200  # lines that are not repeated


def write_repeated(source, megabytes, path):
    lines = source.read_bytes().splitlines(keepends=True)
    with open(path, "wb") as log:
        log.writelines(lines[:HEAD])
        while log.tell() < megabytes << 20:
            log.writelines(lines[HEAD:-TAIL])
        log.writelines(lines[-TAIL:])
