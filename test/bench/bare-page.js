// The yardstick: as little as can show the same films.
const home = await (await fetch('/v1/home?limit=12')).json()
const continued = home.continueWatching.map(({ movie }) => movie)
document.querySelector('.waiting').remove()
for (const movies of [continued, home.recentlyAdded, home.watchlist]) {
  const row = document.createElement('div')
  row.className = 'waiting'
  for (const { title, year, images } of movies) {
    const card = document.createElement('a')
    const poster = new Image(160, 240)
    poster.loading = movies === home.watchlist ? 'lazy' : 'eager'
    poster.src = `${images.poster}?w=240&v=1`
    card.append(poster, title, ' ', String(year))
    row.append(card)
  }
  document.getElementById('app').append(row)
}
performance.mark('titles')
