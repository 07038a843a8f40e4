/** Does this with each item, with so many of them at once. */
export async function inLanes<T>(
  items: readonly T[],
  lanes: number,
  act: (item: T, i: number) => Promise<unknown>,
): Promise<void> {
  const left = items.entries()
  const lane = async () => {
    for (const [i, item] of left) await act(item, i)
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}
