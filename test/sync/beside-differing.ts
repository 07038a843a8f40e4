import { type Differs, done, failed, other, RESOURCE, WRITTEN, withLines } from './beside-case.ts'

/** What differs on purpose, each side as it is. */
export const DIFFERS: readonly Differs[] = [
  {
    name: 'SY-CLI-1 SY-CLI-2 a flag wins over the file',
    given: {
      args: ['-prefix', '/p', '-config-file', 'DIR/c'],
      files: { c: 'prefix = "/q"' },
      env: { P_K: '1', Q_K: '2' },
    },
    confd: done({ 'a.conf': '644 v=2\n' }),
    ours: done(),
  },
  {
    name: 'SY-CLI-3 a file that is named and missing',
    given: { args: ['-config-file', '/nowhere'] },
    confd: done(),
    ours: failed(),
  },
  {
    name: 'SY-CLI-4 keys with the other dash',
    given: { args: ['-config-file', 'DIR/c'], files: { c: 'sync_only = true' }, ...withLines('check_cmd = "false"') },
    confd: failed(),
    ours: done(),
  },
  { name: 'SY-CLI-9 the environment', given: { env: { K: '1', CONFD_NOOP: 'true' } }, confd: done(), ours: done({}) },
  { name: 'SY-CLI-10 options of ours', given: { args: ['-debounce', '1s'] }, confd: done({}, 2), ours: done() },
  { name: 'SY-CLI-11 an interval of 0', given: { args: ['-interval', '0'] }, confd: done(), ours: failed() },
  {
    name: 'SY-EXIT-3 a resource file that is none',
    given: { conf: { 'a.toml': RESOURCE, 'b.toml': 'nonsense' } },
    confd: failed(),
    ours: failed({ 'a.conf': WRITTEN }),
  },
  { name: 'SY-EXIT-5 no confdir', given: { args: ['-confdir', '/nowhere'] }, confd: done({}), ours: failed() },
  {
    name: 'SY-RES-2 a link to nothing',
    given: { files: { 'conf.d/x': '' }, links: { 'DIR/conf.d/b.toml': '/nowhere' } },
    confd: failed(),
    ours: done(),
  },
  {
    name: 'SY-RES-6 prefixes that are joined',
    given: { ...withLines('prefix = "/own"'), args: ['-prefix', '/all', '-prefix-join'], env: { ALL_OWN_K: '1' } },
    confd: done({}, 2),
    ours: done(),
  },
  {
    name: 'SY-ENV-2 a variable stands under the key as it is written, too',
    given: {
      conf: { 'a.toml': RESOURCE.replace('"/k"', '"/db", "/db/max_conns"') },
      templates: { a: '{{getv "/db/max_conns"}} {{getv "/db/max/conns"}}' },
      env: { DB_MAX_CONNS: '5' },
    },
    confd: failed(),
    ours: done({ 'a.conf': '644 5 5' }),
  },
  { name: 'SY-RES-8 bits above 07777', given: withLines('mode = "0100644"'), confd: done(), ours: failed() },
  {
    name: 'SY-RES-11 two for one target',
    given: {
      conf: { 'a.toml': RESOURCE, 'b.toml': RESOURCE.replace('"a"', '"b"') },
      templates: { a: 'v=1\n', b: 'v=2\n' },
    },
    confd: done({ 'a.conf': '644 v=2\n' }),
    ours: failed({ 'a.conf': WRITTEN }),
  },
  {
    name: 'SY-PIPE-8 a list without a shell',
    given: withLines('check_cmd = ["grep", "-q", "v=1", "{{.src}}"]'),
    confd: failed(),
    ours: done(),
  },
  {
    name: 'SY-PIPE-11 the paths in a reload',
    given: withLines('reload_cmd = "echo {{.src}} | grep -c a.conf >> OUT/log"'),
    confd: done({ 'a.conf': WRITTEN, log: '644 0\n' }, 1),
    ours: done({ 'a.conf': WRITTEN, log: '644 1\n' }),
  },
  {
    name: 'SY-PIPE-11 SY-FAIL-8 a reload that fails is owed',
    given: withLines('reload_cmd = "false"'),
    confd: failed({ 'a.conf': WRITTEN }),
    ours: failed({ '.a.conf.reload': '600 ', 'a.conf': WRITTEN }),
  },
  {
    name: 'SY-PIPE-16 SY-FAIL-9 one reload for several',
    given: {
      conf: {
        'a.toml': other('a', 'reload_cmd = "echo r >> OUT/log"'),
        'b.toml': other('b', 'reload_cmd = "echo r >> OUT/log"'),
      },
    },
    confd: done({ a: WRITTEN, b: WRITTEN, log: '644 r\nr\n' }),
    ours: done({ a: WRITTEN, b: WRITTEN, log: '644 r\n' }),
  },
  {
    name: 'SY-PIPE-17 create_dir',
    given: { conf: { 'a.toml': other('no/a', 'create_dir = true\n') } },
    confd: failed(),
    ours: done({ no: '755 ' }),
  },
]

/** What goes on is ended after some seconds, and has no code. */
export const GOES_ON = { seconds: 8, code: null }

/** Without -onetime. */
export const DAEMONS: readonly Differs[] = [
  {
    name: 'SY-CLI-12 a watch on a store that sends no word',
    given: { args: ['-watch'], seconds: GOES_ON.seconds },
    confd: done({}, GOES_ON.code),
    ours: done({ 'a.conf': WRITTEN }, GOES_ON.code),
  },
  {
    name: 'SY-EXIT-4 a resource file that is none, without -watch',
    given: { conf: { 'a.toml': RESOURCE, 'b.toml': 'nonsense' }, seconds: GOES_ON.seconds },
    confd: failed(),
    ours: done({ 'a.conf': WRITTEN }, GOES_ON.code),
  },
  {
    name: 'SY-EXIT-5 no confdir, with -watch',
    given: { args: ['-watch', '-confdir', '/nowhere'], seconds: GOES_ON.seconds },
    confd: done({}),
    ours: failed(),
  },
  {
    name: 'SY-EXIT-5 no confdir, without -watch: both go on',
    given: { args: ['-confdir', '/nowhere'], seconds: GOES_ON.seconds },
    confd: done({}, GOES_ON.code),
    ours: done({}, GOES_ON.code),
  },
  {
    name: 'SY-EXIT-7 no resource, with -watch',
    given: { conf: { 'a.txt': '' }, args: ['-watch'], seconds: GOES_ON.seconds },
    confd: done({}),
    ours: done({}, GOES_ON.code),
  },
]
