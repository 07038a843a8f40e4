/** The field that an unknown one was meant to be: in another case, or one letter away. */
export function suggestion(unknown: string, fields: Iterable<string>): string | undefined {
  const known = [...fields]
  return (
    known.find((each) => each.toLowerCase() === unknown.toLowerCase()) ?? known.find((each) => isNear(each, unknown))
  )
}

/** One letter is added, missing or another. */
function isNear(one: string, other: string): boolean {
  let start = 0
  while (start < one.length && one[start] === other[start]) start += 1
  const [short, long] = one.length < other.length ? [one, other] : [other, one]
  return short.slice(short.length === long.length ? start + 1 : start) === long.slice(start + 1)
}
