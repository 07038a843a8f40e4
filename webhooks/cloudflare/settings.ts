import { choice, flag, integer, setting, text } from '../kit/schema.ts'

const LOOPBACK = '(localhost|127(\\.[0-9]{1,3}){3}|\\[::1\\])(:[0-9]{1,5})?'

export const CLOUDFLARE_API_URL = setting(
  'cloudflareApiUrl',
  text({
    doc: 'address of the Cloudflare API; plain http is for loopback alone',
    default: 'https://api.cloudflare.com/client/v4',
    pattern: `^(https://[^/?#@\\s]+|http://${LOOPBACK})(/[^?#\\s]*)?$`,
  }),
)
export const CLOUDFLARE_NAMESPACE = setting(
  'cloudflareNamespace',
  text({
    doc: 'namespace of the Secrets that CloudflareCredentials name, and of the configurations of tunnels',
    default: 'tars-system',
    pattern: '^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$',
  }),
)
export const CLOUDFLARE_CLUSTER_ID = setting(
  'cloudflareClusterId',
  text({
    doc: 'tells the marks of this cluster from those of another one on the same account or zone; none when empty',
    default: '',
    pattern: '^([a-z0-9]([-a-z0-9]{0,18}[a-z0-9])?)?$',
  }),
)
export const CLOUDFLARE_DNS_COMMENT_LIMIT = setting(
  'cloudflareDnsCommentLimit',
  integer({
    doc: 'characters of the comment of a DNS record: 100 in a Free zone, 500 in a paid one',
    default: 100,
    minimum: 100,
    maximum: 500,
  }),
)
export const CLOUDFLARE_ALLOW_FORCE_ADOPTION = setting(
  'cloudflareAllowForceAdoption',
  flag({ doc: 'let the adoption policy Force take what another owner manages', default: false }),
)
export const CLOUDFLARE_CROSS_NAMESPACE_HOSTNAMES = setting(
  'cloudflareCrossNamespaceHostnames',
  choice(['deny', 'warn', 'allow'], {
    doc: 'what becomes of a hostname of a tunnel that objects of two namespaces use',
    default: 'deny',
  }),
)
export const CLOUDFLARE_RESYNC_SECONDS = setting(
  'cloudflareResyncSeconds',
  integer({
    doc: 'how often an object of Cloudflare is compared with what it should be',
    default: 1_800,
    minimum: 1,
    maximum: 86_400,
  }),
)
export const CLOUDFLARE_DRIFT_SECONDS = setting(
  'cloudflareDriftSeconds',
  integer({
    doc: 'how often the configuration of a tunnel is compared with what was sent',
    default: 600,
    minimum: 1,
    maximum: 86_400,
  }),
)
export const CLOUDFLARE_DEBOUNCE_MILLISECONDS = setting(
  'cloudflareDebounceMilliseconds',
  integer({
    doc: 'how long changes of a tunnel are gathered; ten times that at most',
    default: 500,
    minimum: 1,
    maximum: 60_000,
  }),
)
export const CLOUDFLARE_REQUESTS_PER_FIVE_MINUTES = setting(
  'cloudflareRequestsPerFiveMinutes',
  integer({ doc: 'calls of the API with one credential', default: 900, minimum: 10, maximum: 1_200 }),
)
export const CLOUDFLARE_MAX_RULES = setting(
  'cloudflareMaxRules',
  integer({ doc: 'rules of one tunnel', default: 1_000, minimum: 1, maximum: 10_000 }),
)
export const CLOUDFLARE_FORCE_FINALIZER_MINUTES = setting(
  'cloudflareForceFinalizerMinutes',
  integer({
    doc: 'how long the deletion of an object waits for credentials or a zone that cannot be found',
    default: 15,
    minimum: 1,
    maximum: 10_080,
  }),
)
