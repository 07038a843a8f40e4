/** The resources and values that confd's own tests of its stores have, written again. */

const DATABASE = { host: '127.0.0.1', password: 'p@sSw0rd', port: '3306', username: 'confd' }
const UPSTREAM = { app1: '10.0.1.10:8080', app2: '10.0.1.11:8080' }

/** By key. */
export const VALUES: Readonly<Record<string, string>> = {
  '/key': 'foobar',
  ...below('/database', DATABASE),
  ...below('/upstream', UPSTREAM),
  '/nested/east/app1': UPSTREAM.app1,
  '/nested/west/app2': UPSTREAM.app2,
}

/** The same as hashes of redis, but for what is in no folder. */
export const HASHES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/database': DATABASE,
  '/upstream': UPSTREAM,
  '/nested/east': { app1: UPSTREAM.app1 },
  '/nested/west': { app2: UPSTREAM.app2 },
}

function below(folder: string, values: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${folder}/${name}`, value]))
}

const BASIC = `hostname: {{getenv "HOSTNAME"}}
database_host: {{getv "/database/host"}}
database_password: {{getv "/database/password"}}
database_port: {{getv "/database/port"}}
database_username: {{getv "/database/username"}}
cache: {{getv "/cache" "none"}}
`
const EXISTS = `{{if exists "/key"}}value: {{getv "/key"}}
{{end}}{{if exists "/doesnotexist"}}not printed
{{end}}`
const ITERATION = `upstream app {
{{range gets "/upstream/*"}}    server {{.Value}};
{{end}}}

server {
    server_name {{base "/upstream/app"}};
}
`
const NESTED = `{{range $region := lsdir "/nested"}}{{$region}}:
{{range gets (printf "/nested/%s/*" $region)}}  {{base .Key}} {{.Value}}
{{end}}{{end}}`

const FOUR = ['/key', '/database', '/upstream', '/nested']

/** 192 keys, of which four differ. */
const MANY = Array.from({ length: 48 }, () => FOUR).flat()

export const RESOURCES: Readonly<Record<string, { readonly keys: readonly string[]; readonly template: string }>> = {
  basic: { keys: ['/database'], template: BASIC },
  exists: { keys: ['/key', '/doesnotexist'], template: EXISTS },
  iteration: { keys: ['/upstream'], template: ITERATION },
  manykeys: { keys: MANY, template: BASIC },
  nested: { keys: ['/nested'], template: NESTED },
}

const BASIC_CONF = `hostname: localhost
database_host: 127.0.0.1
database_password: p@sSw0rd
database_port: 3306
database_username: confd
cache: none
`

/** By target, as `Left` has them. */
export const EXPECTED: Readonly<Record<string, string>> = {
  basic: `644 ${BASIC_CONF}`,
  exists: '644 value: foobar\n',
  iteration: `644 upstream app {
    server 10.0.1.10:8080;
    server 10.0.1.11:8080;
}

server {
    server_name app;
}
`,
  manykeys: `644 ${BASIC_CONF}`,
  nested: '644 east:\n  app1 10.0.1.10:8080\nwest:\n  app2 10.0.1.11:8080\n',
}
