import { type Alike, done, failed, other, RESOURCE, WRITTEN, withLines } from './beside-case.ts'

/** What both do alike. */
export const ALIKE: readonly Alike[] = [
  { name: 'SY-EXIT-1 a pass', given: {}, left: done() },
  {
    name: 'SY-EXIT-1 SY-PIPE-6 what is in sync stays, and nothing runs',
    given: { ...withLines('check_cmd = "false"\nreload_cmd = "false"'), there: { 'a.conf': ['v=1\n', 0o644] } },
    left: done(),
  },
  { name: 'SY-EXIT-1 SY-PIPE-7 noop', given: { args: ['-noop'] }, left: done({}) },
  {
    name: 'SY-EXIT-2 SY-PIPE-13 one that fails, and the others',
    given: {
      conf: { 'a.toml': RESOURCE, 'b.toml': '[template]\nsrc = "b"\ndest = "OUT/b"\nkeys = ["/k"]' },
      templates: { a: '{{getv "/gone"}}', b: 'fine' },
    },
    left: failed({ b: '644 fine' }),
  },
  { name: 'SY-EXIT-6 no conf.d', given: { conf: {} }, left: failed() },
  { name: 'SY-EXIT-7 no resource', given: { conf: { 'a.txt': '' } }, left: done({}) },
  {
    name: 'SY-CLI-2 SY-CLI-5 flags of Go',
    given: { args: ['--prefix=/p', '-noop=false', '-interval', '0x10'], env: { P_K: '1' } },
    left: done(),
  },
  { name: 'SY-CLI-5 what follows a word is no flag', given: { args: ['word', '-nope'] }, left: done() },
  { name: 'SY-CLI-5 an unknown flag', given: { args: ['-nope'] }, left: done({}, 2) },
  { name: 'SY-CLI-5 a wrong value', given: { args: ['-interval', 'x'] }, left: done({}, 2) },
  { name: 'SY-CLI-5 help', given: { args: ['-help'] }, left: done({}) },
  {
    name: 'SY-CLI-7 the version',
    given: { args: ['-version', '-config-file', 'DIR/bad'], files: { bad: '=' } },
    left: done({}),
  },
  {
    name: 'SY-CLI-3 a file that is no TOML',
    given: { args: ['-config-file', 'DIR/c'], files: { c: 'prefix = ' } },
    left: failed(),
  },
  {
    name: 'SY-CLI-4 keys in any letter case, and unknown ones',
    given: { args: ['-config-file', 'DIR/c'], files: { c: 'Prefix = "/p"\nwhat = 1\n' }, env: { P_K: '1' } },
    left: done(),
  },
  {
    name: 'SY-CLI-4 a wrong type',
    given: { args: ['-config-file', 'DIR/c'], files: { c: 'interval = "5"' } },
    left: failed(),
  },
  { name: 'SY-BE-1 a backend that there is not', given: { args: ['-backend', 'x'] }, left: failed() },
  {
    name: 'SY-RES-1 SY-RES-3 folders, hidden files, a path of src',
    given: { conf: { 'sub/.atoml': RESOURCE.replace('src = "a"', 'src = "/sub/../a"') } },
    left: done(),
  },
  {
    name: 'SY-RES-4 what is outside of its table',
    given: { conf: { 'a.toml': `x = 1\n${RESOURCE}[other]\ny = 1\n` } },
    left: done(),
  },
  {
    name: 'SY-RES-6 a global prefix takes the place of its own',
    given: { ...withLines('prefix = "/own"'), args: ['-prefix', 'all'], env: { ALL_K: '1', OWN_K: '2' } },
    left: done(),
  },
  {
    name: 'SY-RES-6 SY-RES-9 its own prefix',
    given: { ...withLines('prefix = "own"'), env: { OWN_K: '1' } },
    left: done(),
  },
  { name: 'SY-RES-7 the whole store', given: { conf: { 'a.toml': RESOURCE.replace('"/k"', '"/"') } }, left: done() },
  {
    name: 'SY-ENV-1 a key with an underscore and capitals',
    given: {
      conf: { 'a.toml': RESOURCE.replace('"/k"', '"/my_App", "/K"') },
      templates: { a: '{{range gets "/*/*"}}{{.Key}} {{end}}{{getv "/my/app/host"}} {{getv "/k"}}' },
      env: { MY_APP: '0', MY_APP_HOST: 'h', K: '1' },
    },
    left: done({ 'a.conf': '644 /my/app h 1' }),
  },
  {
    name: 'SY-ENV-1 a prefix with an underscore',
    given: {
      ...withLines('prefix = "/my_app"'),
      templates: { a: '{{getv "/my/app/k/host"}}' },
      env: { MY_APP_K_HOST: 'h' },
    },
    left: done({ 'a.conf': '644 h' }),
  },
  { name: 'SY-RES-8 a decimal mode', given: withLines('mode = "644"'), left: done({ 'a.conf': '204 v=1\n' }) },
  { name: 'SY-RES-8 a mode with a number that is no literal', given: withLines('mode = "0x1A4"'), left: done() },
  { name: 'SY-RES-10 a template that is missing', given: { templates: {} }, left: failed() },
  {
    name: 'SY-PIPE-1 the mode of what is there',
    given: { there: { 'a.conf': ['old', 0o600] } },
    left: done({ 'a.conf': '600 v=1\n' }),
  },
  {
    name: 'SY-PIPE-6 another mode',
    given: { ...withLines('mode = "0600"'), there: { 'a.conf': ['v=1\n', 0o644] } },
    left: done({ 'a.conf': '600 v=1\n' }),
  },
  { name: 'SY-PIPE-4 a template that does not parse', given: { templates: { a: '{{if}}' } }, left: failed() },
  {
    name: 'SY-PIPE-5 nothing is left of a render that fails',
    given: { templates: { a: 'x{{getv "/gone"}}' }, there: { 'a.conf': ['old', 0o644] } },
    left: failed({ 'a.conf': '644 old' }),
  },
  { name: 'SY-PIPE-8 a check that passes', given: withLines('check_cmd = "grep -q v=1 {{.src}}"'), left: done() },
  {
    name: 'SY-PIPE-8 a check with functions of Go',
    given: withLines(`check_cmd = '{{if .src}}grep -q {{printf "v=%d" 1}} {{.src}}{{else}}false{{end}}'`),
    left: done(),
  },
  {
    name: 'SY-FAIL-10 a check with a function of confd',
    given: withLines(`check_cmd = 'true {{toUpper "k"}}'`),
    left: failed(),
  },
  {
    name: 'SY-PIPE-8 a check that fails',
    given: { ...withLines('check_cmd = "grep -q v=2 {{.src}}"'), there: { 'a.conf': ['old', 0o600] } },
    left: failed({ 'a.conf': '600 old' }),
  },
  { name: 'SY-PIPE-9 a link', given: { links: { 'OUT/a.conf': 'OUT/real' } }, left: done() },
  {
    name: 'SY-PIPE-11 a reload',
    given: withLines('reload_cmd = "cat OUT/a.conf >> OUT/log"'),
    left: done({ 'a.conf': WRITTEN, log: '644 v=1\n' }),
  },
  {
    name: 'SY-PIPE-11 sync-only',
    given: { ...withLines('check_cmd = "false"\nreload_cmd = "touch OUT/log"'), args: ['-sync-only'] },
    left: done(),
  },
  {
    name: 'SY-PIPE-16 one after the other in their order',
    given: {
      conf: {
        'b.toml': other('b', 'reload_cmd = "echo b >> OUT/log"'),
        'a.toml': other('a', 'reload_cmd = "sleep 0.2; echo a >> OUT/log"'),
      },
    },
    left: done({ a: WRITTEN, b: WRITTEN, log: '644 a\nb\n' }),
  },
  { name: 'SY-PIPE-17 a folder that is missing', given: { conf: { 'a.toml': other('no/a') } }, left: failed() },
]
