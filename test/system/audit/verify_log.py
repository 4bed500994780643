"""Verifies copies of Marquee's event log, independently of Marquee: Python's standard library only.

usage: verify_log.py CHECKPOINTS LOG...     (CHECKPOINTS: a file of signed notes; LOG: a copy of events.sqlite)

Prints one line of JSON for each log, and exits with 1 if any of them is not what was written. The hash chain of each stream, the
order of positions, and the RFC 6962 tree are computed here. Python's standard library has no Ed25519, so the SIGNATURES OF THE
CHECKPOINTS ARE NOT CHECKED: open the notes before with `npm run marquee -- verify --log ... --key ...`, or with Go's sumdb/note.
"""
import base64, functools, hashlib, json, os, pathlib, re, sqlite3, sys

LEFT_OUT = {"SignedIn": ["tokenHash"], "AccessTokenIssued": ["tokenHash"], "SecondFactorPrepared": ["recoveryCodes"],
            "RecoveryCodesReplaced": ["recoveryCodes"], "RecoveryCodeUsed": ["recoveryCode"], "SignInRefused": ["emailHmac"],
            "VaultAdopted": ["digest"], "SigningSecretAdopted": ["digest"]}
MAX_ENTRY_BYTES, NOBODYS = 65_535, {"stream": None, "revision": None}
QUERY = """select e.position, s.name, e.revision, e.id, e.type, e.data, e.metadata from events e join streams s on s.id = e.stream
  where e.position <= (select max(position) from events where json_valid(data) and json_valid(metadata)) order by e.position"""


class Number(str):
    """A number as it is written: ECMAScript wrote it, as RFC 8785 asks."""


def canonical(value):
    if value is None or isinstance(value, (bool, Number)):
        return str({None: "null", True: "true", False: "false"}.get(value, value))
    if isinstance(value, str):
        return re.sub("[\ud800-\udfff]", lambda lone: f"\\u{ord(lone[0]):04x}", json.dumps(value, ensure_ascii=False))
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    names = sorted(value, key=lambda name: name.encode("utf-16-be", "surrogatepass"))
    return "{" + ",".join(canonical(name) + ":" + canonical(value[name]) for name in names) + "}"


def parsed(text):
    """NaN and Infinity are no JSON: {}[constant] fails."""
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant={}.__getitem__)


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def leaf_of(event):
    """The hash of what proofs rest on: the event without what nobody is shown."""
    if event is None:
        return sha256(b"\0")
    shown = {name: value for name, value in event["data"].items() if name not in LEFT_OUT.get(event["type"], [])}
    entry = {name: event[name] for name in ("stream", "revision", "id", "type", "metadata")}
    text = canonical({**entry, "data": shown}).encode()
    return sha256(b"\0", text if len(text) <= MAX_ENTRY_BYTES else canonical(entry).encode())


def fits(event, prev):
    bare = {name: value for name, value in event["metadata"].items() if name != "hash"}
    text = canonical({**event, "v": bare.get("v", ""), "metadata": bare})
    return bare.get("prev") == prev and event["metadata"].get("hash") == sha256(f"{prev}|{text}".encode()).hex()


class Tree:
    """Roots of the complete subtrees, the largest first (RFC 6962, section 2.1)."""

    def __init__(self):
        self.size, self.subtrees = 0, []

    def add(self, leaf):
        rest = self.size
        while rest % 2 == 1:
            leaf, rest = sha256(b"\1", self.subtrees.pop(), leaf), rest // 2
        self.subtrees.append(leaf)
        self.size += 1

    def root(self):
        return functools.reduce(lambda right, left: sha256(b"\1", left, right), reversed(self.subtrees))


def checkpoints_in(text):
    """Size and root of each signed note: lines of origin, size and root, an empty line, signatures."""
    note = re.compile(r"^\S+\n(\d+)\n([A-Za-z0-9+/]{43}=)\n\n\u2014 ", re.MULTILINE)
    return sorted((int(size), base64.b64decode(root)) for size, root in note.findall(text))


def read(_, stream, revision, id_, type_, data, metadata):
    """The event, or None if it cannot be read."""
    try:
        event = {"stream": stream, "revision": Number(revision), "id": id_, "type": type_, "data": parsed(data)}
        return {**event, "metadata": parsed(metadata)}
    except (ValueError, KeyError):
        return None


def broken(event, revision, tail):
    """How an event does not follow the one before it in its stream; None: it does."""
    last, prev = tail
    if event is None:
        return "unreadable"
    if revision != last + 1:
        return "missing" if revision > last + 1 else "inserted"
    return None if fits(event, event["metadata"].get("prev") if prev is None else prev) else "altered"


def first_difference(rows, checkpoints):
    tree, tails, gaps, position, holds = Tree(), {}, [], 0, 0
    exact = changed_at = since = suspect = before = None
    at_size = {size: [root for other, root in checkpoints if other == size] for size, _ in checkpoints}
    for row in rows:
        stream, revision, event = row[1], row[2], read(*row)
        at = event["metadata"].get("at") if event else None
        tree.add(leaf_of(event))
        seq, roots = tree.size, at_size.get(tree.size, [])
        place = {"seq": seq, "stream": stream, "revision": revision, "at": at}
        tail = tails.get(stream, (-1, ""))
        kind = broken(event, revision, tail)
        gaps += [(stream, tail[0] + 1)] if kind == "missing" else []
        if exact is None and row[0] != position + 1:
            exact = {**place, **NOBODYS, "kind": "missing", "upTo": seq}
        elif exact is None and kind:
            exact = {**place, "kind": kind, "revision": tail[0] + 1 if kind == "missing" else revision, "upTo": seq}
        elif exact and exact["kind"] == "missing" and (exact["stream"], exact["revision"]) == (stream, revision):
            exact["kind"] = "swapped"
        if changed_at is None:
            since = since or place
            if suspect is None and before and before["seq"] >= since["seq"] and before["at"] and at and before["at"] > at:
                suspect = before
            if any(root != tree.root() for root in roots):
                changed_at = seq
            elif roots:
                holds, since, suspect = seq, None, None
        position, before = row[0], place
        tails[stream] = (revision, event["metadata"].get("hash") if event else None)
    if changed_at is not None and not (exact and exact["seq"] <= changed_at):
        return {**since, "kind": "changed", "seq": holds + 1, "upTo": changed_at, "suspect": suspect}
    if exact is None and checkpoints and checkpoints[-1][0] > tree.size:
        exact = {**NOBODYS, "kind": "truncated", "seq": tree.size + 1, "upTo": checkpoints[-1][0], "at": before and before["at"]}
    if exact and exact["kind"] == "missing" and exact["stream"] is None and len(gaps) == 1:
        exact["stream"], exact["revision"] = gaps[0]
    return exact and {**exact, "suspect": None}


def rows_of(log, query=QUERY):
    has_journal = os.path.exists(log + "-wal") and os.path.getsize(log + "-wal")
    return sqlite3.connect(f"{pathlib.Path(log).absolute().as_uri()}?mode=ro&immutable={0 if has_journal else 1}", uri=True).execute(query)


def main(notes, *logs):
    checkpoints = checkpoints_in(pathlib.Path(notes).read_text("utf-8"))
    found = [first_difference(rows_of(log), checkpoints) for log in logs]
    print(*(json.dumps({"log": log, "first": first}) for log, first in zip(logs, found)), sep="\n")
    sys.exit(1 if any(found) else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
