import { entriesOf } from './entries.ts'
import { linesOf } from './lines.ts'

const USUAL = '/nacos'
const KEY = 'server.servlet.contextPath'

/** Where the server answers, if the configuration says so literally (NC-STS-30). */
export function contextPathIn(text: string): string {
  const value = entriesOf(linesOf(text)).findLast(({ key }) => key === KEY)?.value ?? USUAL
  return /^\/[-._~/a-zA-Z0-9]{0,200}$/.test(value) ? value : USUAL
}
