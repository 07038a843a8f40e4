import { type CloudflareCall, guardOf } from '../../kit/cloudflare.ts'
import { anyObject, integer, nullable, object, type Shape, text } from '../../kit/schema.ts'

const configuration = object(
  { version: integer({ doc: 'Version.' }) },
  { config: nullable(anyObject({ doc: 'Configuration.' })), source: text({ doc: 'Where it is kept.' }) },
)
const PATH = '/accounts/{account}/cfd_tunnel/{id}/configurations'
export const READ_CONFIGURATION: CloudflareCall<Shape<typeof configuration>> = {
  method: 'GET',
  path: PATH,
  is: guardOf(configuration),
}
export const SEND_CONFIGURATION: CloudflareCall<Shape<typeof configuration>> = { ...READ_CONFIGURATION, method: 'PUT' }
