import { entriesOf } from './entries.ts'

const USUAL = '/nacos'
const KEY = 'server.servlet.contextPath'

/** Where the server answers, if the configuration says so literally (NC-STS-30). */
export function contextPathIn(text: string): string {
  // A key may be written with escapes. Without one and without the key the text, which may be long, is not read.
  if (!text.includes(KEY) && !text.includes('\\')) return USUAL
  const path = entriesOf(text).findLast(({ key }) => key === KEY)?.value ?? USUAL
  const bare = path.trim().replace(/\/$/, '') // as the server does
  return /^(?:\/[-._~/a-zA-Z0-9]{0,199})?$/.test(bare) ? bare : USUAL
}
