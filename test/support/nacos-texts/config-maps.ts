import type { Tree } from '../../../src/schema.ts'
import type { Effect, RuleText } from './rules.ts'

const edited = (name: string, data: Tree, says: string, effect: Effect = 'refused'): RuleText => ({
  ...{ of: 'ConfigMap', name, patch: { data }, effect, says },
})
const LINE = 'data[u]: ConfigMap "team" key "u" line'
const wrong = (u: string, line: string) =>
  edited('team', { u }, `${LINE} ${line} (used by Nacos "n"); correct that line (NC-ADM-40)`)
const odd = (u: string, line: string) => cut(u, `${line}; correct that line`)
/** A warning of more than 120 characters loses its end, but for the rule. */
const cut = (u: string, line: string) => edited('team', { u }, `${LINE} ${line} (NC-ADM-40)`, 'warned')

export const CONFIG_MAP_TEXTS: readonly RuleText[] = [
  wrong('a=1\nb=\\u', '2: malformed \\uxxxx escape'),
  wrong('a=1\n=v', '2: empty key'),
  wrong('a=1\n\\\n', '2: a backslash alone'),
  wrong('a=\u0001', '1: control character'),
  wrong('a=1\n#---\nb=2', '2: starts another document, and the loaders of the server differ about it'),
  wrong('# \\\na=1', '1: comment whose backslash swallows the next line'),
  wrong('# \\nb=2\na=1', '1: comment that its escaped line feed ends'),
  odd('a=1\nb', '2: key "b" has no = or : and no value'),
  cut('a=1\na=2', '2: key "a" stands in line 1 already; the last one counts; correct th…'),
  odd('a=中', '1: non-ASCII text, which is escaped'),
  odd('# a', '1: no property is left'),
  odd('\\#a=1', '1: key "#a" begins a comment for Spring Boot'),
  cut('\\ a=1', '1: key " a" has white space around it, which Spring Boot takes away;…'),
  edited(
    'team',
    { u: 'server.port=1' },
    'data[u]: ConfigMap "team" key "u" line 1: key "server.port" is protected by ConfigMap "ops" and cannot be set here; leave it out (NC-ADM-41)',
  ),
  edited(
    'free',
    { u: 'db.url=1' },
    'data[u]: ConfigMap "free" key "u" line 1: key "db.url" is protected by the operator and cannot be set here; leave it out (NC-ADM-41)',
  ),
  edited('team', { u: null }, 'data[u]: key "u" is used by Nacos "n"; change the reference first (NC-ADM-42)'),
  edited(
    'shared',
    { i: null },
    'data[i]: key "i" is used by Nacos "many-1", "many-2", "many-3", "many-4", "many-5" and 2 more; change the reference first (NC-ADM-42)',
  ),
  edited(
    'team',
    { u: 'a=2' },
    'data: 1 Nacos cluster(s) will be restarted one member at a time: "n"; watch them (NC-ADM-46)',
    'warned',
  ),
  {
    ...{ of: 'ConfigMap', name: 'ops', effect: 'warned' },
    patch: { metadata: { annotations: { 'nacos.io/protected-keys': 'a' } } },
    says: 'metadata.annotations: ConfigMap "team" key "u" line 1: key "a" is protected now; take it out there (NC-PRO-06)',
  },
  edited(
    'team',
    { u: `a=${'x'.repeat(999_990)}` },
    'data[u]: the merged configuration has 1000081 bytes, at most 1000000 are allowed (used by Nacos "n"); make one of its sources smaller (NC-MRG-48)',
  ),
  {
    ...{ of: 'ConfigMap', name: 'team', effect: 'warned' },
    says: 'metadata.name: still used by Nacos "n"; the running configuration is kept but cannot be changed (NC-ADM-43)',
  },
  {
    ...{ of: 'ConfigMap', name: 'made', patch: { data: { x: '1' } }, effect: 'forbidden' },
    says: 'data: ConfigMap "made" is generated for Nacos "n"; edit "team" or "ops" instead (NC-ADM-44)',
  },
  {
    ...{ of: 'ConfigMap', name: 'made-old', effect: 'forbidden' },
    says: 'metadata.name: ConfigMap <namespace>/made-old: ConfigMap "made-old" is generated for Nacos "old"; edit that Nacos instead (NC-ADM-45)',
  },
]
