"""What people of a household watched, viewing by viewing, from the raw events of its log."""
import datetime, math

UTC = datetime.timezone.utc


def ms(text):
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return round((moment - datetime.datetime(1970, 1, 1, tzinfo=UTC)) / datetime.timedelta(milliseconds=1))


class Viewing:
    def __init__(self, user, movie, library, source, start, end=None):
        self.user, self.movie, self.library, self.source, self.start, self.end = user, movie, library, source, start, end
        self.watched, self.completed, self.hidden, self.client = 0, source != "playback", False, None
        self.method = self.resolution = self.quality = self.reason = self.title = self.year = None
        self.place = self.length = self.first = self.beat = self.idle = 0


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
            viewing.length, viewing.first, viewing.quality = data["durationMs"], data["positionMs"], data.get("quality")
            viewing.title, viewing.year, viewing.idle = data.get("title"), data.get("year"), data["idleSeconds"] * 1000
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
            found[session].reason = data["reason"] if kind == "PlaybackEnded" else "idle"
        elif kind == "MovieCompleted" and session in found:
            found[session].completed = True
        elif kind == "MovieMarkedWatched" and not data.get("again"):
            when = ms(data["watchedAt"])
            viewing = Viewing(data["userId"], data["movieId"], data.get("libraryId"), "manual", when, when)
            viewing.title, viewing.year = data.get("title"), data.get("year")
            found[event["viewing"]] = viewing
        elif kind == "WatchImported":
            when = ms(data["watchedAt"])
            viewing = Viewing(data["userId"], data["movieId"], data["libraryId"], "import", when, when)
            viewing.watched, viewing.completed = data["watchedMs"], data["left"] is None
            viewing.title, viewing.year = data["title"], data["year"]
            found[data["viewingId"]] = viewing
        elif kind == "WatchImportUndone":
            for one in data["viewingIds"]:
                found.pop(one, None)
        elif kind == "HistoryHidden":
            found[data["viewingId"]].hidden = True
    for key, position in place.items():
        found[key].place, found[key].beat = position, beat[key]
    return found


def shown(viewings):
    return {key: viewing for key, viewing in viewings.items() if not viewing.hidden}


def entry(one):
    """A viewing as a list shows it. One whose player fell silent is over, though nobody had written that down."""
    end, reason = one.end, one.reason
    if end is None:
        end, reason = max(one.beat + one.idle, one.start + one.watched), "idle"
    percent = math.floor(min(1, max(0, one.place / one.length)) * 1000 + 0.5) / 10 if one.length else 100 if one.completed else 0
    client = one.client and {"name": one.client, "version": "1.0", "device": f"{one.client} device", "deviceId": None}
    times = {"startedAt": one.start, "endedAt": end, "startPosition": one.first / 1000, "endPosition": one.place / 1000}
    how = {"method": one.method, "quality": one.quality, "resolution": one.resolution, "client": client, "source": one.source}
    whose = {"userId": one.user, "libraryId": one.library, "movie": {"id": one.movie, "title": one.title, "year": one.year}}
    return {**times, **how, **whose, "watchedSeconds": one.watched / 1000, "percent": percent, "completed": one.completed, "endReason": reason}


# A heartbeat may be that late: what is further ahead than time allows was skipped.
LATE_MS = 8000


def timeline(events, session):
    """What the player did between two events: wall time, and places in the film."""
    steps, state = [], "playing"
    for event in events:
        kind, data = event["type"], event["data"]
        if data.get("sessionId") != session or not kind.startswith("Playback") or "positionMs" not in data:
            continue
        at, to = ms(data["expiredAt"] if kind == "PlaybackExpired" else event["at"]), data["positionMs"]
        since, start = (steps[-1]["at"], steps[-1]["to"]) if steps else (at, to)
        said = data["playState"] if kind == "PlaybackHeartbeat" else state
        if kind == "PlaybackStarted":
            name = "play"
        elif kind == "PlaybackSeeked":
            name = "seek"
        elif kind == "PlaybackHeartbeat":
            halted = [state, said].count("paused")
            if to == start:
                name = "pause" if halted else "beat"
            else:
                name = "play" if to > start and halted < 2 else "seek"
                reach = start + math.floor((at - since) * max(data.get("rate", 1), 1))
                if name == "play" and at >= since and to > reach + LATE_MS:
                    if state == "paused" or at == since:
                        name = "seek"
                    else:
                        steps.append({"kind": "play", "since": since, "at": at, "from": start, "to": reach})
                        name, since, start = "seek", at, reach
        elif kind in ("PlaybackEnded", "PlaybackExpired"):
            name = "end"
        else:
            continue
        steps.append({"kind": name, "since": since, "at": max(at, since), "from": start, "to": to})
        state = said
    return steps


def facts_of(events):
    genres, people = {}, {}
    for event in events:
        if event["type"] == "MovieIdentified":
            facts = event["data"]["facts"]
            genres[event["data"]["movieId"]] = facts.get("genres", [])
            people[event["data"]["movieId"]] = [one["name"] for one in facts.get("cast", [])[:10]]
    return genres, people
