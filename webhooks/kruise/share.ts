/** Of a whole: a number of it, or a part such as "30%". */
export function shareOf(share: number | string | undefined, whole: number, round: 'up' | 'down'): number {
  if (typeof share === 'number') return share
  const percent = /^(\d{1,9})%$/.exec(share ?? '')?.[1]
  return percent === undefined ? 0 : (round === 'up' ? Math.ceil : Math.floor)((Number(percent) * whole) / 100)
}
