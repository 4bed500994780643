/** The services of what was watched: the history, its figures. */
import { createAnalytics, type AnalyticsDependencies } from '../app/history/analytics.ts'
import { createFigures, type FiguresDependencies } from '../app/history/figures.ts'
import { createHistory, type HistoryDependencies } from '../app/history/history.ts'
import { createHistoryImports, type HistoryImportsDependencies } from '../app/history/history-imports.ts'
import { createTaste } from '../app/history/taste.ts'

type HistoryServicesDependencies = Omit<AnalyticsDependencies, 'figures' | 'libraryName'> &
  FiguresDependencies &
  HistoryDependencies &
  HistoryImportsDependencies

export function createHistoryServices(deps: HistoryServicesDependencies) {
  const { access } = deps
  const figures = createFigures(deps)
  const dimensions = { ...deps, figures, libraryName: (id: string) => access.libraries.get(id)?.name }
  return {
    analytics: createAnalytics(dimensions),
    history: createHistory(deps),
    historyImports: createHistoryImports(deps),
    taste: createTaste(dimensions),
  }
}
