/**
 * The strip of a viewing in a list: from its timeline once the row has been seen for a moment, from the entry itself before. Requests are
 * limited, so only so many timelines a minute are asked for, and none of other people: each look at them would be on record.
 */
import { useQuery } from '@tanstack/preact-query'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { HistoryEntry } from '../data/history-query.ts'
import { timelineQuery } from '../data/past-queries.ts'
import { queryClient } from '../data/query-client.ts'
import { lengthIn, roughStrip, stripOf } from './strip-layout.ts'

const REST_MS = 300
const MOST_A_MINUTE = 30
const MINUTE_MS = 60_000

let asked: readonly number[] = []

/** Whether one more may be asked for now. */
function mayAsk(): boolean {
  const now = Date.now()
  asked = asked.filter((ms) => now - ms < MINUTE_MS)
  if (asked.length >= MOST_A_MINUTE) return false
  asked = [...asked, now]
  return true
}

export function useStrip(entry: HistoryEntry, isOwn: boolean) {
  const element = useRef<HTMLLIElement>(null)
  const isThere = entry.source === 'playback' && isOwn
  const [isWanted, setWanted] = useState(() => queryClient.getQueryData(timelineQuery(entry.id).queryKey) !== undefined)
  useEffect(() => {
    const { current } = element
    if (!current || !isThere || isWanted) return undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(([seen]) => {
      clearTimeout(timer)
      if (seen?.isIntersecting === true) timer = setTimeout(() => mayAsk() && setWanted(true), REST_MS)
    })
    observer.observe(current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [isThere, isWanted])
  const { data } = useQuery({ ...timelineQuery(entry.id), enabled: isThere && isWanted })
  return useMemo(() => {
    const strip = data && data.length > 0 ? stripOf(data) : roughStrip(entry)
    return { element, strip, length: lengthIn(entry, strip) }
  }, [data, entry])
}
