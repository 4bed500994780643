"""Counts the history of a household from the raw events of its log, independently of Marquee: Python's standard library only.

usage: count_history.py EVENTS QUESTIONS     (both: a JSON document a line)

EVENTS: {type, at, seq, data}, in the order of the log. QUESTIONS: {path, query, answer, csv, clients}: what was asked and what was
answered, the same as CSV of some, and the client of each session (of the first question alone). Prints each answer that is not what is counted here, and how many.
"""
import collections, csv, datetime, io, json, math, sys, zoneinfo
from lived_viewings import UTC, entry, facts_of, ms, shown, timeline, viewings_of

CLIENTS, HIDDEN = {}, set()
CYCLES = {"hourOfDay": 24, "dayOfWeek": 7, "hourOfWeek": 168}


def fitting(viewings, query):
    start = ms(query["from"]) if "from" in query else -math.inf
    end = ms(query["to"]) if "to" in query else math.inf

    def fits(one):
        wanted = [("userId", one.user), ("movieId", one.movie), ("libraryId", one.library), ("source", one.source), ("client", one.client)]
        done = "completed" not in query or (query["completed"] == "true") == one.completed
        return done and start <= one.start < end and all(query.get(name, value) == value for name, value in wanted)

    return {key: one for key, one in viewings.items() if fits(one)}


def local(moment, zone):
    return datetime.datetime.fromtimestamp(moment // 1000, UTC).astimezone(zone)


def bucket(moment, zone, group):
    here = local(moment, zone)
    if group == "week":
        year, week, _ = here.isocalendar()
        return f"{year}-W{week:02}"
    if group in CYCLES:
        return str({"hourOfDay": here.hour, "dayOfWeek": here.isoweekday(), "hourOfWeek": here.weekday() * 24 + here.hour}[group])
    return here.strftime("%Y-%m-%d" if group == "day" else "%Y-%m")


def measures(some):
    return {"plays": len(some), "seconds": sum(one.watched for one in some) / 1000, "users": len({one.user for one in some})}


def grouped(some, key):
    groups = collections.defaultdict(list)
    for one in some:
        groups[key(one)].append(one)
    return groups


def by(query):
    return lambda one: getattr(one, query["by"])


def overview(some, _):
    movies = len({one.movie for one in some.values()})
    return {**measures(some.values()), "movies": movies, "completed": sum(one.completed for one in some.values())}


def plays(some, query):
    zone, group, metric = zoneinfo.ZoneInfo(query["tz"]), query["groupBy"], query["metric"]
    counted = {key: measures(ones)[metric] for key, ones in grouped(some.values(), lambda one: bucket(one.start, zone, group)).items()}
    result = {"buckets": {key: value for key, value in counted.items() if value}}
    if "by" in query:
        series = {}
        for value, ones in grouped(some.values(), by(query)).items():
            parts = grouped(ones, lambda one: bucket(one.start, zone, group))
            series[str(value)] = {key: measures(part)[metric] for key, part in parts.items() if measures(part)[metric]}
        result["series"] = series
    return result


def top(some, query):
    return {str(value): measures(ones) for value, ones in grouped(some.values(), by(query)).items()}


def concurrency(viewings, query):
    """How many went on at each moment at which that number changes."""
    start, end = ms(query["from"]), ms(query["to"])
    spans = [(max(one.start, start), min(one.end, end)) for one in viewings.values() if one.source == "playback"]
    changes = collections.Counter({start: 0})
    for first, last in spans:
        if first < last:
            changes[first] += 1
            changes[last] -= 1
    points, count = {}, 0
    for moment in sorted(changes):
        count += changes[moment]
        if moment < end and (moment == start or changes[moment]):
            points[moment] = count
    slots = int(query["points"])
    if len(points) <= slots:
        return {"exact": True, "max": max(points.values()), "points": points}
    # Of each slot the most: what began before it, and what changed within it.
    edges = [start + (end - start) * slot // slots for slot in range(slots + 1)]
    moments = sorted(points)
    merged = {}
    for first, last in zip(edges, edges[1:]):
        at_first = [points[moment] for moment in moments if moment <= first][-1]
        merged[first] = max([at_first] + [points[moment] for moment in moments if first < moment < last])
    return {"exact": False, "max": max(points.values()), "points": merged}


def finish(some, _):
    """Of each film who began and finished it, and in which twentieth it was left."""
    result = {}
    for movie, ones in grouped([one for one in some.values() if one.source == "playback"], lambda one: one.movie).items():
        left = [0] * 20
        for one in ones:
            if one.end is not None and not one.completed:
                left[min(19, min(100, one.place * 100 // one.length) // 5)] += 1
        finished = len({one.user for one in ones if one.completed})
        result[movie] = {"plays": len(ones), "users": len({one.user for one in ones}), "finishedBy": finished, "left": left}
    return result


def rewatched(some, _):
    result = {}
    for movie, ones in grouped([one for one in some.values() if one.completed], lambda one: one.movie).items():
        often = [count for count in collections.Counter(one.user for one in ones).values() if count > 1]
        if often:
            result[movie] = {"users": len(often), "times": sum(often)}
    return result


def named(movies, names):
    """The five with most seconds, then plays, of what the movies are called under."""
    sums = collections.defaultdict(lambda: [0, 0])
    for movie, one in movies.items():
        for name in names.get(movie, []):
            sums[name][0] += one["seconds"]
            sums[name][1] += one["plays"]
    order = sorted(sums, key=lambda name: (-round(sums[name][0] * 1000), -sums[name][1], name))[:5]
    return [[name, sums[name][1], sums[name][0]] for name in order]


def year(some, query, facts):
    zone = zoneinfo.ZoneInfo(query["tz"])
    ones = sorted((one for one in some.values() if local(one.start, zone).year == int(query["year"])), key=lambda one: one.start)
    movies = {movie: measures(group) for movie, group in grouped(ones, lambda one: one.movie).items()}
    evenings = grouped(ones, lambda one: (local(one.start, zone).replace(tzinfo=None) - datetime.timedelta(hours=6)).date().isoformat())
    longest = min(((-sum(one.watched for one in group) / 1000, date) for date, group in evenings.items()), default=None)
    hours = collections.Counter(local(one.start, zone).hour for one in ones)
    return {
        **measures(ones),
        "movies": len(movies),
        "completed": sum(one.completed for one in ones),
        "longestEvening": longest and [longest[1], -longest[0]],
        "busiestHour": min(hours, key=lambda hour: (-hours[hour], hour), default=None),
        "first": ones[0].start if ones else None,
        "last": ones[-1].start if ones else None,
        "top": sorted((one["seconds"] for one in movies.values()), reverse=True)[:5],
        "genres": named(movies, facts[0]),
        "people": named(movies, facts[1]),
    }


def told_year(answer):
    longest, seen = answer["longestEvening"], {name: answer[name] and ms(answer[name]["startedAt"]) for name in ("first", "last")}
    figures = {name: answer[name] for name in ("plays", "seconds", "users", "movies", "completed", "busiestHour")}
    top_seconds = [one["seconds"] for one in answer["topMovies"]]
    names = {name: [[one["name"], one["plays"], one["seconds"]] for one in answer[name]] for name in ("genres", "people")}
    return {**figures, **seen, **names, "longestEvening": longest and [longest["date"], longest["seconds"]], "top": top_seconds}


def told(path, answer):
    """An answer in the form in which it is counted here."""
    if path == "overview":
        return {name: answer[name] for name in ("plays", "seconds", "users", "movies", "completed")}
    if path == "plays":
        keys = [one["key"] for one in answer["buckets"]]
        result = {"buckets": {key: value for key, value in zip(keys, answer["total"]) if value}}
        if answer["by"]:
            rows = {str(one["key"]): one["values"] for one in answer["series"]}
            result["series"] = {name: {key: value for key, value in zip(keys, row) if value} for name, row in rows.items()}
        return result
    if path == "year":
        return told_year(answer)
    if path in ("finish", "rewatched"):
        return {one["movie"]["id"]: {name: value for name, value in one.items() if name != "movie"} for one in answer["items"]}
    if path == "top":
        return {str(one["key"]): {name: one[name] for name in ("plays", "seconds", "users")} for one in answer["items"]}
    if path == "concurrency":
        return {"exact": answer["exact"], "max": answer["max"]["count"], "points": {ms(point["at"]): point["count"] for point in answer["points"]}}
    if path == "timeline":
        return [{**one, "since": ms(one["since"]), "at": ms(one["at"]), "from": ms_in(one["from"]), "to": ms_in(one["to"])} for one in answer]
    listed = {one.pop("id"): one for one in answer}
    for one in listed.values():
        one["startedAt"], one["endedAt"] = ms(one["startedAt"]), one["endedAt"] and ms(one["endedAt"])
    return listed


def ms_in(seconds):
    return round(seconds * 1000)


def cells(text):
    return list(csv.reader(io.StringIO(text)))


def table_fits(path, answer, text):
    """Whether a table says the same as the answer."""
    header, *rows = cells(text)
    written = lambda *values: ["" if value is None else str(value).lower() if isinstance(value, bool) else plain(value) for value in values]
    if path == "overview":
        return [header] + rows == [list(answer), written(*answer.values())]
    if path == "plays":
        columns = [answer["total"]] + [one["values"] for one in answer["series"]]
        lines = zip(answer["buckets"], zip(*columns))
        return rows == [written(bucket["key"], bucket["from"], bucket["to"], *values) for bucket, values in lines]
    if path == "top":
        return rows == [written(*(one[name] for name in header)) for one in answer["items"]]
    if path == "concurrency":
        return rows == [written(point["at"], point["count"]) for point in answer["points"]]
    if path in ("finish", "rewatched"):
        names = ("plays", "users", "finishedBy") if path == "finish" else ("users", "times")
        lines = [[*(one[name] for name in names), *one.get("left", [])] for one in answer["items"]]
        return [row[0] for row in rows] == [one["movie"]["id"] for one in answer["items"]] and [row[2:] for row in rows] == [written(*line) for line in lines]
    return len(rows) > 0


def plain(value):
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def counted(path, events, viewings, query):
    if path == "timeline":
        return timeline(events, query["id"])
    if "asOf" in query:
        then = [event for event in events if event["seq"] <= int(query["asOf"].removeprefix("seq:"))]
        viewings = {key: one for key, one in viewings_of(then, CLIENTS).items() if key not in HIDDEN}
        query = {name: value for name, value in query.items() if name != "asOf"}
    if path == "concurrency":
        within = {name: value for name, value in query.items() if name not in ("from", "to")}
        return concurrency(fitting(viewings, within), query)
    some = fitting(viewings, query)
    if path in ("history", "movie-history"):
        return {key: entry(one) for key, one in some.items()}
    if path == "year":
        return year(some, query, facts_of(events))
    figures = {"overview": overview, "plays": plays, "top": top, "finish": finish, "rewatched": rewatched}
    return figures[path](some, query)


def same(a, b):
    """Sums of seconds were added up in another order."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b or (isinstance(a, float) and isinstance(b, (int, float)) and math.isclose(a, b, abs_tol=1e-6))


def main(events, questions):
    with open(questions, encoding="utf-8") as lines:
        asked = [json.loads(line) for line in lines]
    with open(events, encoding="utf-8") as lines:
        happened = [json.loads(line) for line in lines]
    CLIENTS.update(asked[0]["clients"])
    everything = viewings_of(happened, CLIENTS)
    HIDDEN.update(key for key, one in everything.items() if one.hidden)
    viewings = shown(everything)
    wrong = 0
    for one in asked:
        fits = "csv" not in one or table_fits(one["path"], one["answer"], one["csv"])
        ours, theirs = counted(one["path"], happened, viewings, one["query"]), told(one["path"], one["answer"])
        if not (same(ours, theirs) and fits):
            wrong += 1
            print(json.dumps({"path": one["path"], "query": one["query"], "counted": ours, "answered": theirs, "table": fits})[:4000])
    total = sum(one.watched for one in viewings.values()) // 1000
    print(json.dumps({"questions": len(asked), "wrong": wrong, "viewings": len(viewings), "seconds": total}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
