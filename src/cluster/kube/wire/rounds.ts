/** Gives each caller a round of the event loop for itself, so that long answers that come at once are no long gap. */
export class Rounds {
  #last = Promise.resolve()

  next(): Promise<void> {
    this.#last = this.#last.then(nextRound)
    return this.#last
  }
}

function nextRound(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  setImmediate(resolve)
  return promise
}
