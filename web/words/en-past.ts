/** English: what happened. History and figures. */
import { counted as count } from './counted.ts'
import { addEnglish } from './words.ts'

interface Counted {
  readonly count: number
}
interface Titled {
  readonly title: string
}
interface Timed {
  readonly time: string
}
interface Years {
  readonly year: string
}

export const pastEn = {
  'admin.on-record': 'Looking at this is recorded. People see in their settings who looked at what they watch.',

  // History
  'history.count': ({ count: n }: Counted) => count(n, 'viewing', 'viewings'),
  'history.first': ({ count: n }: Counted) => `The latest ${count(n, 'viewing', 'viewings')}`,
  'history.none': 'Nothing watched yet',
  'history.none.hint': 'What you watch appears here, with every pause and jump. You can hide any of it.',
  'history.none.all': 'What people watch on this server appears here.',
  'history.none.filtered': 'No viewing matches',
  'history.details-of': ({ title }: Titled) => `Details of watching “${title}”`,
  'history.from-of': ({ time, title }: Timed & Titled) => `Play “${title}” from ${time}`,
  'history.hide': ({ title }: Titled) => `Hide “${title}” from the history`,
  'history.hidden': ({ title }: Titled) => `“${title}” is hidden from your history and statistics`,
  'history.goes-on': 'still playing',
  'history.not-completed': 'left before the end',
  'history.movie': 'Film page',
  'history.watched': 'Watched for',
  'history.stretch': 'From – to',
  'history.end': 'Ending',
  'history.reason': 'Ended by',
  'history.method': 'Playback',
  'history.quality': 'Quality',
  'history.client': 'Client',
  'history.earlier': 'Earlier resume points of this film',
  'history.from': 'From',
  'history.to': 'To',
  'history.source': 'Source',
  'history.source.playback': 'Played here',
  'history.source.manual': 'Marked as watched',
  'history.source.import': 'Imported',
  'history.user': 'Person',
  'history.hour': ({ day, time }: { readonly day: string } & Timed) => `${day}, ${time}`,
  'history.left': ({ from, to }: { readonly from: number; readonly to: number }) => `left between ${from} and ${to} %`,
  'history.at': ({ time }: Timed) => `playing at ${time}`,
  'history.without': 'Unknown',
  'end.client': 'the player',
  'end.idle': 'silence of the player',
  'end.admin': 'an administrator',
  'end.signed_out': 'signing out',
  'end.access_revoked': 'loss of access',
  'end.library_deleted': 'removal of the library',
  'end.user_disabled': 'disabling of the account',
  'method.direct': 'Original file',
  'method.remux': 'Repackaged',
  'method.transcode': 'Transcoded',

  // The strip of a viewing
  'strip.title': 'Minute by minute',
  'strip.sentence': ({ time, pauses, jumps }: Timed & { readonly pauses: number; readonly jumps: number }) =>
    `${time} played, ${count(pauses, 'pause', 'pauses')}, ${count(jumps, 'jump', 'jumps')}`,
  'strip.play-from': ({ from, to }: { readonly from: string; readonly to: string }) => `Play from ${from} (played to ${to})`,
  'strip.resume': ({ time }: Timed) => `Play from ${time}`,
  'strip.kind': 'What happened',
  'strip.kind.play': 'played',
  'strip.kind.pause': 'paused',
  'strip.kind.seek': 'jumped',
  'strip.kind.beat': 'stood still',
  'strip.kind.end': 'ended',
  'strip.from': 'From',
  'strip.to': 'To',
  'strip.time': 'Took',

  // Plots
  'plot.zone': ({ zone }: { readonly zone: string }) => `Days and hours are those of ${zone}.`,
  'plot.table': 'Show as a table',
  'plot.table.hide': 'Hide the table',
  'plot.csv': 'Download as CSV',
  'plot.legend': 'Legend',
  'plot.total': 'Total',
  'plot.rest': 'Others',
  'plot.viewings': ({ count: n }: Counted) => count(n, 'viewing', 'viewings'),
  'plot.hours': ({ hours }: { readonly hours: string }) => `${hours} h`,
  'plot.mark': ({ name, amount }: { readonly name: string; readonly amount: string }) => `${name}: ${amount}`,
  'plot.week': ({ week, year }: { readonly week: number } & Years) => `Week ${week}, ${year}`,

  // Figures
  'stats.range': 'Range',
  'stats.range.own': 'Dates…',
  'stats.days': ({ days }: { readonly days: number }) =>
    days === 1825 ? 'Last 5 years' : days === 365 ? 'Last year' : `Last ${count(days, 'day', 'days')}`,
  'stats.metric': 'Count',
  'stats.group': 'Each bar is a',
  'stats.group.day': 'Day',
  'stats.group.week': 'Week',
  'stats.group.month': 'Month',
  'stats.stacked': 'Divide by',
  'stats.by.method': 'Playback',
  'stats.by.movie': 'Film',
  'stats.by.client': 'Client',
  'stats.by.library': 'Library',
  'stats.by.resolution': 'Resolution',
  'stats.by.user': 'Person',
  'stats.plays': 'Viewings',
  'stats.hours': 'Hours',
  'stats.watched': 'Time watched',
  'stats.movies': 'Films',
  'stats.completed': 'Watched to the end',
  'stats.users': 'People',
  'stats.none': 'Nothing was watched in this time',
  'stats.none.hint': 'Choose another range, or watch something.',
  'stats.erased': 'Erased person',
  'stats.time.plays': 'Viewings over time',
  'stats.time.seconds': 'Hours over time',
  'stats.time.sentence': ({ all, most, amount }: { readonly all: string; readonly most: string; readonly amount: string }) =>
    `${all} in all. The most on ${most}: ${amount}.`,
  'stats.week': 'Hours of the week',
  'stats.hour': 'Hour',
  'stats.week.sentence': ({ day, time, amount }: { readonly day: string; readonly amount: string } & Timed) =>
    `The most begins on ${day} at ${time}: ${amount}.`,
  'stats.top.movie': 'Most watched films',
  'stats.top.user': 'Who watches most',
  'stats.top.client': 'Most used clients',
  'stats.top.library': 'Most watched libraries',
  'stats.top.sentence': ({ name, amount }: { readonly name: string; readonly amount: string }) => `First is ${name}: ${amount}.`,
  'stats.once': 'At the same time',
  'stats.once.count': 'Playing',
  'stats.once.sentence': ({ count: n, time }: Counted & Timed) => `At most ${count(n, 'film', 'films')} at once, first at ${time}.`,
  'stats.left': 'Where films are left',
  'stats.left.none': 'Every film that was begun was watched to the end.',
  'stats.left.sentence': ({ count: n }: Counted) =>
    `${count(n, 'viewing', 'viewings')} ended before the end of the film: from its beginning, left, to its end, right.`,
  'stats.left.finished': 'Finished by',
  'stats.left.users': ({ finished, users }: { readonly finished: number; readonly users: number }) =>
    `finished by ${finished} of ${count(users, 'person', 'people')}`,
  'stats.year': ({ year }: Years) => `Your ${year}`,
  'year.years': 'Years',
  'year.none': ({ year }: Years) => `Nothing watched in ${year}`,
  'year.first': 'First film',
  'year.last': 'Last film',
  'year.evening': 'Longest evening',
  'year.hour': 'Busiest hour',
  'year.days': 'Day by day',
  'year.days.sentence': ({ day, amount }: { readonly day: string; readonly amount: string }) => `The fullest day was ${day}: ${amount}.`,
  'year.genres': 'Genres',
  'year.people': 'Actors',

  // Audit

  // The proof of an entry

  // Lives of films, and time travel
} as const

addEnglish(pastEn)
