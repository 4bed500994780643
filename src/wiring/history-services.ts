/** Builds the services of the watch history: the history, its figures, and changes of the movies themselves. */
import { createAnalytics, type AnalyticsDependencies } from '../app/history/analytics.ts'
import { createFigures, type FiguresDependencies } from '../app/history/figures.ts'
import { createHistory, type HistoryDependencies } from '../app/history/history.ts'
import { createHistoryImports, type HistoryImportsDependencies } from '../app/history/history-imports.ts'
import { createMovieLife } from '../app/history/movie-life.ts'
import { createSettledViewings } from '../app/history/settled-viewings.ts'
import { createTaste } from '../app/history/taste.ts'
import { createLibraryChanges } from '../app/libraries/library-changes.ts'

type HistoryServicesDependencies = Omit<AnalyticsDependencies, 'figures' | 'libraryName' | 'settled'> &
  FiguresDependencies &
  HistoryDependencies &
  HistoryImportsDependencies

export function createHistoryServices(deps: HistoryServicesDependencies) {
  const { access, readModels, log } = deps
  const figures = createFigures(deps)
  const history = createHistory(deps)
  const settled = createSettledViewings(readModels.viewings, access.idle.isIdle)
  const dimensions = { ...deps, figures, settled, libraryName: (id: string) => access.libraries.get(id)?.name }
  return {
    analytics: createAnalytics(dimensions),
    history,
    historyImports: createHistoryImports(deps),
    libraryMovieChanges: createLibraryChanges({ access, readModels }),
    movieLife: createMovieLife({ access, readModels, history, log }),
    taste: createTaste(dimensions),
  }
}
