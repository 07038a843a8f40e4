import type { Sink, Stored } from '../../port.ts'

/** Reports one object: once at the start, and then whenever its version is another. */
export function teller(tell: (object: Stored | undefined) => void): Sink<Stored> {
  let last: string | undefined
  let began = false
  let seen: Stored | undefined
  const say = (object: Stored | undefined) => {
    const version = object?.metadata.resourceVersion
    if (began && version === last) return
    began = true
    last = version
    return tell(object)
  }
  return {
    begin() {
      seen = undefined
    },
    add([object]) {
      seen = object
    },
    done: () => say(seen),
    put: say,
    remove: () => say(undefined),
  }
}
