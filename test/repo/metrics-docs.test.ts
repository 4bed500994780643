/** The dashboard and the alert rules in docs/metrics/: they ask for metrics that there are. */
import t from 'tap'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { parse } from 'yaml'
import { createPrometheusMetrics } from '../../src/adapters/prometheus/metrics.ts'
import { findProgram, tellMissing } from '../fixtures/programs.ts'

const DOCS = join(import.meta.dirname, '../../docs')
const ALERTS = join(DOCS, 'metrics/alerts.yaml')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}

const rulesIn = (text: string): readonly Rule[] => (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules)

/** All metrics, in the text format. */
async function metricsText(): Promise<string> {
  const metrics = createPrometheusMetrics('1')
  metrics.watch({
    lag: async () => new Map([['movies', 0]]),
    sessions: () => new Map([['direct', 1]]),
    servers: async () => new Map([['NATS', true]]),
    isReady: async () => true,
    slots: () => ({ all: 4, used: 1 }),
    ffmpegCpu: () => new Map([['encode', 1]]),
    backup: () => ({ lastSuccessAt: null, lastFailure: null }),
  })
  return (await metrics.text()).body
}

/** What a server gives, with the endings that histograms add. */
async function metricNames(): Promise<ReadonlySet<string>> {
  const body = await metricsText()
  const names = [...body.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [name, `${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
  )
  return new Set(names)
}

const namesIn = (expression: string): readonly string[] => expression.match(/\b(marquee|nodejs|process)_\w+/g) ?? []

t.test('every expression of the dashboard and of the eleven alert rules is about metrics that a server gives', async (t) => {
  const known = await metricNames()
  const rules = rulesIn(readFileSync(ALERTS, 'utf8'))
  const dashboard = JSON.parse(readFileSync(join(DOCS, 'metrics/dashboard.json'), 'utf8')) as {
    panels: { id: number; targets: { expr: string }[] }[]
  }
  const expressions = [...rules.map(({ expr }) => expr), ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))]
  t.ok(expressions.length > 20)
  for (const expression of expressions) for (const name of namesIn(expression)) t.ok(known.has(name), `${name} in ${expression}`)
  t.equal(rules.length, 11)
  t.equal(new Set(rules.map(({ alert }) => alert)).size, 11)
  for (const { labels, annotations } of rules) t.ok(labels.severity && annotations.summary && annotations.description)
  t.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length)
})

t.test('an alert rule asks for deliveries that were parked, by an outcome that the metric has', async (t) => {
  const parked = rulesIn(readFileSync(ALERTS, 'utf8')).find(({ alert }) => alert === 'MarqueeWebhookParked')
  t.match(parked?.expr, 'marquee_webhook_deliveries_total{outcome="parked"}')
  // It is there before the first one is parked: otherwise `increase` would miss that one.
  const { body } = await createPrometheusMetrics('1').text()
  t.match(body, /^marquee_webhook_deliveries_total\{outcome="parked"\} 0$/m)
})

t.test('docs/metrics.md names every metric of Marquee', async (t) => {
  const text = readFileSync(join(DOCS, 'metrics.md'), 'utf8')
  const named = new Set([...text.matchAll(/^\| `(marquee_\w+)`/gm)].map(([, name]) => name ?? ''))
  const given = [...(await metricNames())].filter((name) => name.startsWith('marquee_') && !/_(bucket|count|sum)$/.test(name))
  t.strictSame([...named].toSorted(), given.toSorted())
})

/** prom-client names these gauges as if they were counters. */
const LIBRARY_COMPLAINT = /^nodejs_active_(handles|requests|resources)_total non-counter metrics should not have "_total" suffix$/

t.test('promtool takes the alert rules and the metrics', async (t) => {
  const promtool = findProgram('promtool')
  if (promtool === undefined) return tellMissing(t, 'promtool')
  t.match((await execa(promtool, ['check', 'rules', ALERTS])).stdout, /SUCCESS: 11 rules found/)
  const { exitCode, stderr } = await execa(promtool, ['check', 'metrics'], { input: await metricsText(), reject: false })
  // 3: they can be read, and there are complaints.
  t.ok(exitCode === 0 || exitCode === 3, `exit code ${exitCode}: ${stderr}`)
  t.strictSame(
    stderr.split('\n').filter((line) => line !== '' && !LIBRARY_COMPLAINT.test(line)),
    [],
  )
})
