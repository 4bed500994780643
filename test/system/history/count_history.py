"""Counts the history of a household from the raw events of its log, independently of Marquee: Python's standard library only.

usage: count_history.py EVENTS QUESTIONS     (both: a JSON document a line)

EVENTS: {type, at, id, data}, in the order of the log. QUESTIONS: {path, query, client, answer}: what was asked and what was answered,
and the client of each session (of the first question alone). Prints each answer that is not what is counted here, and how many.
"""
import collections, datetime, json, math, sys, zoneinfo

UTC = datetime.timezone.utc
CYCLES = {"hourOfDay": 24, "dayOfWeek": 7, "hourOfWeek": 168}


def ms(text):
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return round((moment - datetime.datetime(1970, 1, 1, tzinfo=UTC)) / datetime.timedelta(milliseconds=1))


class Viewing:
    def __init__(self, user, movie, library, source, start, end=None):
        self.user, self.movie, self.library, self.source, self.start, self.end = user, movie, library, source, start, end
        self.watched, self.completed, self.hidden, self.client = 0, source != "playback", False, None
        self.method = self.resolution = None
        self.place = self.length = 0


def viewings_of(events, clients):
    """Viewings by id: each is one session, one mark by hand or one imported entry."""
    found, place, beat = {}, {}, {}
    for event in events:
        kind, data, at = event["type"], event["data"], ms(event["at"])
        session = data.get("sessionId")
        if kind == "PlaybackStarted":
            viewing = Viewing(data["userId"], data["movieId"], data["libraryId"], "playback", at)
            viewing.method, viewing.resolution, viewing.client = data["method"], data.get("resolution"), clients.get(session)
            found[session], place[session], beat[session] = viewing, data["positionMs"], at
            viewing.length = data["durationMs"]
        elif kind == "PlaybackHeartbeat" and session in found:
            if data["rate"] > 0:
                film = (data["positionMs"] - place[session]) / data["rate"]
                found[session].watched += max(0, math.floor(min(film, at - beat[session], 30_000)))
            place[session], beat[session] = data["positionMs"], at
        elif kind == "PlaybackSeeked":
            place[session] = data["positionMs"]
        elif kind in ("PlaybackEnded", "PlaybackExpired") and found[session].end is None:
            told = at if kind == "PlaybackEnded" else ms(data["expiredAt"])
            # A clock was put back: it took at least as long as was watched.
            found[session].end = max(told, found[session].start + found[session].watched)
        elif kind == "MovieCompleted" and session in found:
            found[session].completed = True
        elif kind == "MovieMarkedWatched" and not data.get("again"):
            when = ms(data["watchedAt"])
            found[event["viewing"]] = Viewing(data["userId"], data["movieId"], data.get("libraryId"), "manual", when, when)
        elif kind == "WatchImported":
            when = ms(data["watchedAt"])
            viewing = Viewing(data["userId"], data["movieId"], data["libraryId"], "import", when, when)
            viewing.watched, viewing.completed = data["watchedMs"], data["left"] is None
            found[data["viewingId"]] = viewing
        elif kind == "WatchImportUndone":
            for one in data["viewingIds"]:
                found.pop(one, None)
        elif kind == "HistoryHidden":
            found[data["viewingId"]].hidden = True
    for key, position in place.items():
        found[key].place = position
    return {key: viewing for key, viewing in found.items() if not viewing.hidden}


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
    return {"max": max(points.values()), "points": points}


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


def year(some, query):
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
    }


def told_year(answer):
    longest, seen = answer["longestEvening"], {name: answer[name] and ms(answer[name]["startedAt"]) for name in ("first", "last")}
    figures = {name: answer[name] for name in ("plays", "seconds", "users", "movies", "completed", "busiestHour")}
    top_seconds = [one["seconds"] for one in answer["topMovies"]]
    return {**figures, **seen, "longestEvening": longest and [longest["date"], longest["seconds"]], "top": top_seconds}


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
        return {"max": answer["max"]["count"], "points": {ms(point["at"]): point["count"] for point in answer["points"]}}
    return {one["id"]: [ms(one["startedAt"]), one["watchedSeconds"], one["completed"]] for one in answer}


def counted(path, viewings, query):
    if path == "concurrency":
        within = {name: value for name, value in query.items() if name not in ("from", "to")}
        return concurrency(fitting(viewings, within), query)
    some = fitting(viewings, query)
    if path == "history":
        return {key: [one.start, one.watched / 1000, one.completed] for key, one in some.items()}
    figures = {"overview": overview, "plays": plays, "top": top, "finish": finish, "rewatched": rewatched, "year": year}
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
        viewings = viewings_of(map(json.loads, lines), asked[0]["clients"])
    wrong = 0
    for one in asked:
        ours, theirs = counted(one["path"], viewings, one["query"]), told(one["path"], one["answer"])
        if not same(ours, theirs):
            wrong += 1
            print(json.dumps({"path": one["path"], "query": one["query"], "counted": ours, "answered": theirs})[:4000])
    total = sum(one.watched for one in viewings.values()) // 1000
    print(json.dumps({"questions": len(asked), "wrong": wrong, "viewings": len(viewings), "seconds": total}))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
