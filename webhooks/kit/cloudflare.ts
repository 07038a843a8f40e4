export { RecentMap } from '../../src/recent-map.ts'
export {
  type Cloudflare,
  type CloudflareAccess,
  type CloudflareCall,
  CloudflareFault,
  type CloudflareQuestion,
} from '../../src/remote/cloudflare/port.ts'
export { guardOf } from '../../src/schema-check.ts'
