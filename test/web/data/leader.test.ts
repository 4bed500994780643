import t from 'tap'
import { joinTabs, type Channel, type Leadership, type TabMessage } from '../../../web/data/leader.ts'

interface TabState {
  readonly hidden?: () => boolean
  /** Whether its timers stand still. */
  readonly stalls?: () => boolean
}

/** Tabs of one browser on a channel and a manual clock. */
function openBrowser() {
  let now = 0
  const listeners = new Map<string, (message: TabMessage) => void>()
  const tasks = new Set<{ readonly ms: number; readonly run: () => unknown; readonly tab: string; next: number }>()
  const leading = new Set<string>()
  const beats = new Map<string, () => void>()
  const tabs = new Map<string, Leadership>()

  function open(tab: string, { hidden = () => false, stalls = () => false }: TabState = {}): void {
    const channel: Channel = {
      post: (message) => [...listeners].forEach(([name, listen]) => name !== tab && listen(message)),
      listen: (handler) => void listeners.set(tab, handler),
    }
    const timers = {
      now: () => now,
      every(ms: number, run: () => void) {
        const task = { ms, run: () => stalls() || run(), tab, next: now + ms }
        if (!beats.has(tab)) beats.set(tab, run)
        tasks.add(task)
        return () => void tasks.delete(task)
      },
    }
    const onChange = (leads: boolean): void => void (leads ? leading.add(tab) : leading.delete(tab))
    tabs.set(tab, joinTabs({ channel, timers, tab, isHidden: hidden, onChange }))
  }

  return {
    open,
    leading: () => [...leading],
    /** Its timer fires once, like in a tab with throttled timers. */
    say: (tab: string) => beats.get(tab)?.(),
    leave(tab: string) {
      tabs.get(tab)?.leave()
      listeners.delete(tab)
    },
    /** Ends without a message, like a crashed tab. */
    crash(tab: string) {
      listeners.delete(tab)
      for (const task of tasks) if (task.tab === tab) tasks.delete(task)
      leading.delete(tab)
    },
    pass(ms: number) {
      for (const end = now + ms; now < end; now += 50)
        for (const task of tasks) if (now >= task.next) ((task.next = now + task.ms), task.run())
    },
  }
}

t.test('of seven tabs that open one after the other, one leads', async (t) => {
  const browser = openBrowser()
  for (const tab of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
    browser.open(tab)
    browser.pass(100)
  }
  browser.pass(5000)
  t.strictSame(browser.leading(), ['a'])
})

t.test('of tabs that open at once, one leads', async (t) => {
  const browser = openBrowser()
  for (const tab of ['c', 'a', 'b']) browser.open(tab)
  browser.pass(5000)
  t.strictSame(browser.leading(), ['a'])
})

t.test('when the leader closes, the next oldest tab takes over', async (t) => {
  const browser = openBrowser()
  for (const tab of ['a', 'b', 'c']) browser.open(tab)
  browser.pass(3000)
  browser.leave('a')
  browser.pass(300)
  t.strictSame(browser.leading(), ['b'])
})

t.test('a leader that has been hidden for five minutes hands over to a tab that is seen', async (t) => {
  const browser = openBrowser()
  let hidden = false
  browser.open('a', { hidden: () => hidden })
  browser.open('b')
  browser.pass(3000)
  t.strictSame(browser.leading(), ['a'])
  hidden = true
  browser.pass(299_000)
  t.strictSame(browser.leading(), ['a'])
  browser.pass(10_000)
  t.strictSame(browser.leading(), ['b'])
})

t.test('a hidden leader without another tab stays', async (t) => {
  const browser = openBrowser()
  browser.open('a', { hidden: () => true })
  browser.pass(400_000)
  t.strictSame(browser.leading(), ['a'])
})

t.test('a leader that crashes is replaced within seconds', async (t) => {
  const browser = openBrowser()
  for (const tab of ['a', 'b']) browser.open(tab)
  browser.pass(3000)
  browser.crash('a')
  browser.pass(9000)
  t.strictSame(browser.leading(), ['b'])
})

t.test('a tab that was seen keeps the lead when a hidden one, whose timers were slowed down, claims it again', async (t) => {
  const browser = openBrowser()
  let frozen = false
  browser.open('a', { hidden: () => frozen, stalls: () => frozen })
  browser.open('b')
  browser.pass(3000)
  t.strictSame(browser.leading(), ['a'])
  frozen = true
  browser.pass(9000)
  t.strictSame(browser.leading(), ['b'])
  browser.say('a')
  browser.pass(3000)
  t.strictSame(browser.leading(), ['b'])
})
