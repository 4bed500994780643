/** Marks the moment at which the titles of films can be read, in the browser's timeline: the benchmark of the client looks for it. */
export const markTitles = (): void => void performance.mark('titles')
