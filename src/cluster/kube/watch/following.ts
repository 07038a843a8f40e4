import type { Sink, Stored } from '../../port.ts'

/** Tells of one object: once at the start, and then when it is not what was told last. */
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
