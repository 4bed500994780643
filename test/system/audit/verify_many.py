"""Runs verify_log.py on many logs that begin alike: its own code, on the events from where a log differs.

usage: verify_many.py CHECKPOINTS WHOLE     (WHOLE: a copy of events.sqlite as it was written)

It goes through the whole log, and at each checkpoint leaves a process that stands there: what such a process has computed until then
holds for every log with the same beginning. Each line of JSON on its input names a log, {"log": PATH, "after": SEQ}, or edits of the
whole one, {"edits": [[INDEX, REMOVED, [ROW...]]...], "after": SEQ}, and the number of events from the beginning that are as they were.
The process of the last checkpoint before them forks, and its copy reads the log to the second checkpoint after them. What it finds
before the first of the two is the first difference, whatever follows; otherwise another copy reads the log to its end. Rows that are the
same text as in the whole log are parsed and hashed once. It prints one line of JSON for the whole log, and then one for each line that it
reads.
"""
import bisect, gc, itertools, json, os, pathlib, sys
import verify_log

EVENTS, LEAVES, FITTING = {}, {}, set()
UNDECIDED = 3
read, leaf_of, fits = verify_log.read, verify_log.leaf_of, verify_log.fits


def read_once(*row):
    event = EVENTS.get(row[1:])
    return read(*row) if event is None else event


def leaf_once(event):
    return LEAVES.get(id(event)) or leaf_of(event)


def fits_once(event, prev):
    return (id(event) in FITTING and event["metadata"].get("prev") == prev) or fits(event, prev)


def learn(rows):
    """An event stays in EVENTS, so no other has its id."""
    for row in rows:
        event = EVENTS[row[1:]] = read(*row)
        LEAVES[id(event)] = leaf_of(event)
        if fits(event, event["metadata"].get("prev")):
            FITTING.add(id(event))
    verify_log.read, verify_log.leaf_of, verify_log.fits = read_once, leaf_once, fits_once


def edited(rows, edits):
    """Positions follow each other again."""
    rows = list(rows)
    for index, removed, added in sorted(edits, key=lambda edit: edit[0], reverse=True):
        rows[index : index + removed] = [(0, *row) for row in added]
    return rows


def rows_after(start, whole, job):
    if "log" in job:
        return verify_log.rows_of(job["log"], verify_log.QUERY.replace(" order by", f" and e.position > {start} order by"))
    return ((n, *row[1:]) for n, row in enumerate(edited(whole, job["edits"]), 1) if n > start)


def wait_for_log(start, servers):
    """None here; the log in a process that stands here and was asked for one."""
    ours, theirs = os.pipe()
    if os.fork() != 0:
        os.close(ours)
        servers[start] = theirs
        return None
    for other in (theirs, *servers.values()):
        os.close(other)
    for line in os.fdopen(ours):
        job = json.loads(line)
        for part in ([job] if "near" in job else []) + [{**job, "near": None}]:
            child = os.fork()
            if child == 0:
                return part
            code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
            if code != UNDECIDED:
                break
        if code != 0:
            print(json.dumps({"failed": line}), flush=True)
    os._exit(0)


def rows_from(whole, starts, servers, jobs):
    for seq, row in enumerate(whole):
        job = wait_for_log(seq, servers) if seq in starts else None
        if job:
            jobs.append(job)
            yield from itertools.islice(rows_after(seq, whole, job), job["near"] and job["near"][1] - seq)
            return
        yield row


def main(notes, log):
    checkpoints, servers, own = verify_log.checkpoints_in(pathlib.Path(notes).read_text("utf-8")), {}, os.getpid()
    whole = verify_log.rows_of(log).fetchall()
    learn(whole)
    gc.freeze()
    gc.disable()
    starts = sorted({0, *(size for size, _ in checkpoints if size < len(whole))})
    first, jobs = None, []
    try:
        first = verify_log.first_difference(rows_from(whole, set(starts), servers, jobs), checkpoints)
    except BaseException as error:
        print(repr(error), file=sys.stderr)
        os._exit(2)
    for near in (job["near"] for job in jobs if job["near"]):
        if first is None or first["seq"] > near[0]:
            os._exit(UNDECIDED)
    print(json.dumps({"first": first}), flush=True)
    if os.getpid() != own:
        os._exit(0)
    for job in map(json.loads, sys.stdin):
        start = starts[bisect.bisect_right(starts, job["after"]) - 1]
        near = [size for size in [*starts, len(whole)] if size > job["after"]][:2]
        os.write(servers[start], f"{json.dumps({**job, 'near': near} if len(near) == 2 else job)}\n".encode())


main(*sys.argv[1:])
