/** The services of movies: lists, marks, corrections, images, and what is asked of the past. */
import { createTrickplay } from '../app/derived-media/trickplay.ts'
import { createLibraryStatistics } from '../app/libraries/library-stats.ts'
import { createFacetLists } from '../app/movies/facets.ts'
import { createMovieEdits } from '../app/movies/movie-edits.ts'
import { createMovieMarks } from '../app/movies/movie-marks.ts'
import { createMovies } from '../app/movies/movies.ts'
import { createCandidatePosters } from '../app/online/candidate-posters.ts'
import { createMatchCandidates } from '../app/online/match-candidates.ts'
import { createSearch } from '../app/movies/search.ts'
import { createOnlineMatcher } from '../app/online/online-matching.ts'
import { createImageKey } from '../app/images/image-key.ts'
import { createImages } from '../app/images/images.ts'
import { createAsOf } from '../app/read-models/as-of.ts'
import { createSnapshots } from '../app/read-models/snapshots.ts'
import type { Foundation, ServiceOptions } from './service-foundation.ts'

export function createMovieServices(foundation: Foundation, { ports, onError }: ServiceOptions) {
  const { access, commandHandler, lastChanges, readModels, liveStore: store, readYourWrites } = foundation
  const { clock, log, media, online, imageMaker: maker, stills, vault } = ports
  const trickplay = createTrickplay({ access, store: ports.trickplay })
  const movies = createMovies({ access, lastChanges, readModels, trickplay })
  const imageKey = createImageKey(vault)
  const finder = online && createOnlineMatcher({ access, clock, commandHandler, imageKey, online, onError })
  const catalogue = createFacetLists({ access, readModels })
  return {
    candidatePosters: createCandidatePosters({ clock, maker, online }),
    catalogue,
    imageKey,
    libraryStatistics: createLibraryStatistics({ access, clock, readModels, readYourWrites, store }),
    matchCandidates: createMatchCandidates({ access, clock, readModels, online }),
    movieCorrections: createMovieEdits({ access, commandHandler, readModels, finder, readYourWrites, movies }),
    movieMarks: createMovieMarks({ access, clock, commandHandler, readModels, readYourWrites }),
    movies,
    onlineFinder: finder,
    past: createAsOf({ clock, log, readModels, snapshots: createSnapshots(ports.store), openStore: ports.openScratchStore }),
    images: createImages({ access, clock, readModels, media, stills, online, maker, store: ports.imageStore }),
    search: createSearch({ movies, readModels, catalogue }),
    trickplay,
  }
}
