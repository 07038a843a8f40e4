import type { Tree } from '../../../kit/schema.ts'
import type { Nacos } from '../schema.ts'
import { replicasOf } from '../shape.ts'
import { sortedBy, textIn, treesIn } from './parts.ts'

const PORT = 8848
const variable = (name: string, value: string) => ({ name, value })

/** What the operator sets wins over the author's, and one entry is left of each name (NC-STS-21). */
export function envFor(nacos: Nacos): readonly Tree[] {
  const all = [...treesIn(nacos.spec?.env), ...operatorEnv(nacos)]
  const byName = new Map(all.map((each) => [textIn(each.name), each]))
  return sortedBy([...byName.values()], ({ name }) => name)
}

/** NC-STS-20 */
function operatorEnv(nacos: Nacos): readonly Tree[] {
  const { function_mode: mode } = nacos.spec ?? {}
  return [
    variable('PREFER_HOST_MODE', 'hostname'),
    ...membersOf(nacos),
    ...(mode ? [variable('FUNCTION_MODE', mode)] : []),
    ...databaseOf(nacos),
    ...certificationOf(nacos),
  ]
}

function membersOf(nacos: Nacos): readonly Tree[] {
  if (nacos.spec?.type !== 'cluster') return [variable('MODE', 'standalone')]
  const replicas = replicasOf(nacos)
  return [variable('NACOS_REPLICAS', String(replicas)), variable('NACOS_SERVERS', serversOf(nacos, replicas))]
}

/** NC-STS-23: a server reads its peers at its start alone, so scaling restarts them all. */
function serversOf({ metadata: { name, namespace = '' }, spec }: Nacos, replicas: number): string {
  const domain = textIn(treesIn(spec?.env).find((each) => each.name === 'DOMAIN_NAME')?.value) || 'cluster.local'
  const host = (i: number) => `${name}-${i}.${name}-headless.${namespace}.svc.${domain}:${PORT}`
  return Array.from({ length: replicas }, (_, i) => host(i)).join(' ')
}

function databaseOf({ spec }: Nacos): readonly Tree[] {
  const { type = 'embedded', mysqlHost, mysqlPort, mysqlDb, mysqlUser, mysqlPassword } = spec?.database ?? {}
  if (type === 'embedded' || type === '') return [variable('EMBEDDED_STORAGE', 'embedded')]
  if (type !== 'mysql') return []
  return [
    variable('SPRING_DATASOURCE_PLATFORM', 'mysql'),
    variable('MYSQL_SERVICE_HOST', mysqlHost || '127.0.0.1'),
    variable('MYSQL_SERVICE_PORT', mysqlPort || '3306'),
    variable('MYSQL_SERVICE_DB_NAME', mysqlDb || 'nacos'),
    variable('MYSQL_SERVICE_USER', mysqlUser || 'root'),
    variable('MYSQL_SERVICE_PASSWORD', mysqlPassword || '123456'),
  ]
}

function certificationOf({ spec }: Nacos): readonly Tree[] {
  const { enabled, token = '', token_expire_seconds: seconds, cache_enabled: isCached } = spec?.certification ?? {}
  if (!enabled) return []
  return [
    variable('NACOS_AUTH_ENABLE', 'true'),
    variable('NACOS_AUTH_TOKEN', token),
    variable('NACOS_AUTH_TOKEN_EXPIRE_SECONDS', seconds || '18000'),
    variable('NACOS_AUTH_CACHE_ENABLE', String(isCached === true)),
  ]
}
