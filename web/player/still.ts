/** Keeps the last frame over the media element while its source is exchanged, so that nothing flashes. */

export interface Still {
  show(): void
  hide(): void
}

export function createStill(video: HTMLVideoElement, canvas: HTMLCanvasElement): Still {
  canvas.className = 'still'
  canvas.hidden = true
  return {
    show() {
      if (video.videoWidth === 0 || video.readyState < 2) return
      canvas.width = video.videoWidth
      canvas.height = video.videoHeight
      canvas.getContext('2d')?.drawImage(video, 0, 0)
      canvas.hidden = false
    },
    hide: () => void (canvas.hidden = true),
  }
}
