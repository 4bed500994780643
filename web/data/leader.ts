/**
 * Which tab of a browser holds the event stream: browsers allow six connections a server, and the server ten streams a person. Tabs
 * claim leadership over a channel; Web Locks do not exist on plain http, on which most homes run.
 *
 * The oldest tab that is alive leads. It says so every two seconds; when it has not for six, or says that it leaves, the next oldest
 * one takes over. A leader that has been hidden for five minutes hands over to a tab that is seen.
 */

/** What the tabs say to each other. */
export type TabMessage =
  | { readonly type: 'alive'; readonly tab: string; readonly leads: boolean; readonly hidden: boolean }
  | { readonly type: 'leaves'; readonly tab: string }
  | LiveMessage
  /** A new tab wants the events since its first answers; undefined: they are no longer known. */
  | { readonly type: 'asks'; readonly tab: string; readonly since: number }
  | { readonly type: 'missed'; readonly tab: string; readonly events: readonly LiveMessage[] | undefined }
  /** Nothing comes at the moment: the stream is broken. */
  | { readonly type: 'away' }
  /** The person was signed out, in this browser or by the server. */
  | { readonly type: 'signed-out' }

export interface LiveMessage {
  readonly type: 'event'
  readonly kind: string
  readonly data: string
  readonly id: string
}

export interface Channel {
  post(message: TabMessage): void
  listen(handler: (message: TabMessage) => void): void
}

export interface Timers {
  now(): number
  every(ms: number, run: () => void): () => void
}

export interface LeadershipOptions {
  readonly channel: Channel
  readonly timers: Timers
  /** Sorts tabs by age. */
  readonly tab: string
  readonly isHidden: () => boolean
  /** Called with true when this tab begins to lead, with false when it ends. */
  readonly onChange: (leads: boolean) => void
}

export interface Leadership {
  leads(): boolean
  /** Before the tab closes. */
  leave(): void
}

const BEAT_MS = 2000
const SILENT_MS = 6000
const HIDDEN_MS = 300_000
/** A new tab listens for a moment before it claims. */
const FIRST_WAIT_MS = 250

interface Seen {
  readonly at: number
  readonly leads: boolean
  readonly hidden: boolean
}

interface State {
  readonly others: Map<string, Seen>
  readonly beganAt: number
  leads: boolean
  hiddenSince: number | undefined
}

export function joinTabs({ channel, timers, tab, isHidden, onChange }: LeadershipOptions): Leadership {
  const state: State = { others: new Map(), beganAt: timers.now(), leads: false, hiddenSince: undefined }
  const say = (): void => channel.post({ type: 'alive', tab, leads: state.leads, hidden: isHidden() })
  const change = (leads: boolean): void => {
    if (state.leads === leads) return
    state.leads = leads
    onChange(leads)
    say()
  }

  channel.listen((message) => {
    if ((message.type !== 'alive' && message.type !== 'leaves') || message.tab === tab) return
    if (message.type === 'leaves') state.others.delete(message.tab)
    else {
      const isNew = !state.others.has(message.tab)
      state.others.set(message.tab, { at: timers.now(), leads: message.leads, hidden: message.hidden })
      if (isNew) say()
      // Two tabs that both lead have claimed at once, or the timers of a hidden one were slowed down: the better one stays.
      if (message.leads && state.leads && !isBefore({ tab, hidden: isHidden() }, message)) change(false)
    }
    judge()
  })

  function judge(): void {
    const now = timers.now()
    for (const [name, { at }] of state.others) if (now - at > SILENT_MS) state.others.delete(name)
    state.hiddenSince = isHidden() ? (state.hiddenSince ?? now) : undefined
    if (state.leads) {
      const tired = state.hiddenSince !== undefined && now - state.hiddenSince > HIDDEN_MS
      if (tired && [...state.others.values()].some(({ hidden }) => !hidden)) change(false)
      return
    }
    if (now - state.beganAt < FIRST_WAIT_MS || [...state.others.values()].some(({ leads }) => leads)) return
    const own = { tab, hidden: isHidden() }
    if ([...state.others].every(([name, { hidden }]) => isBefore(own, { tab: name, hidden }))) change(true)
  }

  const stops = [timers.every(BEAT_MS, () => (say(), judge())), timers.every(FIRST_WAIT_MS, judge)]
  say()
  return {
    leads: () => state.leads,
    leave() {
      for (const stop of stops) stop()
      change(false)
      channel.post({ type: 'leaves', tab })
    },
  }
}

interface Candidate {
  readonly tab: string
  readonly hidden: boolean
}

/** Tabs that are seen come before hidden ones, older ones before newer ones. */
const isBefore = (one: Candidate, other: Candidate): boolean => (one.hidden === other.hidden ? one.tab < other.tab : other.hidden)
