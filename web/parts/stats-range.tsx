/** Choices of the figures: the range, the measure (viewings or hours), the length of a bar, and the dimension that divides bars. */
import { DAYS, DIMENSIONS, DIMENSIONS_OF_ALL, GROUPINGS, METRICS, type StatsAsked } from '../data/stats-query.ts'
import { go, withQuery } from '../router.ts'
import { say } from '../words/words.ts'
import { Choice, DateChoice } from './filters.tsx'

export interface StatsRangeProps {
  readonly asked: StatsAsked
  readonly search: string
  readonly path: string
  readonly isAll: boolean
}

export function StatsRange({ asked, search, path, isAll }: StatsRangeProps) {
  const change = (changes: Parameters<typeof withQuery>[1]): void => go(`${path}${withQuery(search, changes)}`, { replace: true })
  const { days, firstDate, lastDate, metric, groupBy, by } = asked
  return (
    <div class="filters">
      <Choice
        label={say('stats.range')}
        isNeeded
        value={days === undefined ? 'own' : String(days)}
        options={[
          ...DAYS.map((one) => ({ value: String(one), text: say('stats.days', { days: one }) })),
          { value: 'own', text: say('stats.range.own') },
        ]}
        onChoose={(value) =>
          change(value === 'own' ? { days: undefined, from: firstDate, to: lastDate } : { days: value, from: undefined, to: undefined })
        }
      />
      {days === undefined &&
        (['from', 'to'] as const).map((name) => (
          <DateChoice
            key={name}
            label={say(`history.${name}`)}
            isNeeded
            value={name === 'from' ? firstDate : lastDate}
            onChoose={(date) => change({ from: firstDate, to: lastDate, [name]: date })}
          />
        ))}
      <Choice
        label={say('stats.metric')}
        isNeeded
        value={metric}
        options={METRICS.map((value) => ({ value, text: say(value === 'plays' ? 'stats.plays' : 'stats.hours') }))}
        onChoose={(value) => change({ metric: value })}
      />
      <Choice
        label={say('stats.group')}
        isNeeded
        value={groupBy}
        options={GROUPINGS.map((value) => ({ value, text: say(`stats.group.${value}`) }))}
        onChoose={(value) => change({ groupBy: value })}
      />
      <Choice
        label={say('stats.stacked')}
        value={by ?? ''}
        options={(isAll ? DIMENSIONS_OF_ALL : DIMENSIONS).map((value) => ({ value, text: say(`stats.by.${value}`) }))}
        onChoose={(value) => change({ by: value })}
      />
    </div>
  )
}
