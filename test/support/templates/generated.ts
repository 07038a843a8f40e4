import fc from 'fast-check'
import {
  anyText,
  FOLDERS,
  format,
  KEYS,
  literalFloat,
  literalNumber,
  oneOf,
  PATTERNS,
  shaped,
  spelled,
} from './words.ts'

/** Templates as an author could write them: most of them sound, some ill-typed, some cut or bent in a random place. */

/** What the grammar derives, all of it texts. */
type Grammar = Record<'string' | 'int' | 'float' | 'bool' | 'list' | 'map' | 'any' | 'pipe' | 'node' | 'body', string>

const words = (...parts: (string | fc.Arbitrary<string>)[]) =>
  fc.tuple(...parts.map((part) => (typeof part === 'string' ? fc.constant(part) : part))).map((all) => all.join(' '))
const call = (...parts: (string | fc.Arbitrary<string>)[]) => words(...parts).map((text) => `(${text})`)
const key = oneOf([...KEYS, '/nope'].map(spelled))

type Tie = fc.LetrecTypedTie<Grammar>

const { body } = fc.letrec<Grammar>((tie) => ({
  ...texts(tie),
  ...scalars(tie),
  ...collections(tie),
  ...pipes(tie),
  ...nodes(tie),
}))

/** Expressions that give a string. */
function texts(tie: Tie) {
  const [string, int, list, any] = [tie('string'), tie('int'), tie('list'), tie('any')]
  const pair = fc.tuple(any, any).map((both) => both.join(' '))
  return {
    string: fc.oneof(
      { depthSize: 'small' },
      { weight: 4, arbitrary: anyText.map(spelled) },
      oneOf(['`raw \\n`', '"\\x41\\101\\u00e9"', '"\\xff"', '"a,b,c"', '","', '"/a/b/../c"', '""', '"12"', '"true"']),
      call('getv', oneOf(KEYS.map(spelled))),
      { weight: 3, arbitrary: call('getv', key, anyText.map(spelled)) },
      call('printf', format, any),
      call('printf', format, any, any),
      call(
        oneOf(['base', 'dir', 'toUpper', 'toLower', 'base64Encode', 'base64Decode', 'html', 'js', 'urlquery']),
        string,
      ),
      call('replace', string, string, string, oneOf(['-1', '0', '1', '2'])),
      call('trimSuffix', string, string),
      call('join', list, string),
      call('slice', string, fc.oneof(oneOf(['0', '1']), int)),
      call('slice', string, oneOf(['0', '1']), fc.oneof(oneOf(['1', '2']), int)),
      call(oneOf(['print', 'println', 'html', 'urlquery', 'js']), pair),
      call('getenv', oneOf(['"SET"', '"EMPTY"', '"NOPE"']), string),
    ),
  }
}

/** Numbers and truth. */
function scalars(tie: Tie) {
  const [string, int, any] = [tie('string'), tie('int'), tie('any')]
  return {
    int: fc.oneof(
      { depthSize: 'small' },
      { weight: 3, arbitrary: literalNumber },
      call(oneOf(['add', 'sub', 'mul', 'div', 'mod']), int, int),
      call('len', any),
      call('atoi', fc.oneof(oneOf(['"12"', '"-7"', '"+0012"']), string)),
      call('index', '"text"', fc.oneof(oneOf(['0', '3']), int)),
    ),
    float: literalFloat,
    bool: fc.oneof(
      { depthSize: 'small' },
      oneOf(['true', 'false']),
      call(oneOf(['eq', 'ne']), any, any),
      call(oneOf(['eq', 'lt', 'le', 'gt', 'ge', 'ne']), int, int),
      call(oneOf(['eq', 'lt', 'le', 'gt', 'ge', 'ne']), string, string),
      call('eq', string, string, string),
      call(oneOf(['and', 'or']), any, any),
      call('not', any),
      call('contains', string, string),
      call('exists', key),
      call('parseBool', fc.oneof(oneOf(['"t"', '"FALSE"']), string)),
    ),
  }
}

/** Lists and maps. */
function collections(tie: Tie) {
  const [string, list, any] = [tie('string'), tie('list'), tie('any')]
  return {
    list: fc.oneof(
      { depthSize: 'small' },
      call('split', string, oneOf(['","', '":"', '""', '"a"'])),
      call('seq', oneOf(['0', '1', '3', '-2']), oneOf(['0', '2', '5'])),
      call(
        'jsonArray',
        fc.oneof(oneOf(['[1,"a",2.5,null,[2],{"k":1}]', '[]', 'null'].map(spelled)), shaped.map(spelled)),
      ),
      call(oneOf(['gets', 'getvs']), oneOf(PATTERNS.map(spelled))),
      call(oneOf(['ls', 'lsdir']), oneOf(FOLDERS.map(spelled))),
      call('sortByLength', call('split', string, '","')),
      call('reverse', call('split', string, '","')),
      call('sortKVByLength', call('gets', '"/b/[xy]"')),
    ),
    map: fc.oneof(
      { depthSize: 'small' },
      call(
        'json',
        fc.oneof(oneOf(['{"k":1,"host":{"x":null},"list":[1]}', '{}', 'null'].map(spelled)), shaped.map(spelled)),
      ),
      call('json', call('getv', '"/j"', '"{}"')),
      call('map', oneOf(['"k"', '"host"', '"x y"']), any),
      call('map', '"k"', any, '"list"', list),
      call('get', key),
    ),
  }
}

/** What an action can hold. */
function pipes(tie: Tie) {
  const [string, int, list, map, any] = [tie('string'), tie('int'), tie('list'), tie('map'), tie('any')]
  return {
    any: fc.oneof(
      { depthSize: 'small' },
      ...[string, string, int, tie('float'), tie('bool'), list, map],
      oneOf(['.', '$', '$x', '$y', 'nil', '.k', '$.host', '$x.k', '.Key', '.Value', '$y.list']),
      map.chain((text) =>
        oneOf(['.k', '.host', '.list', '.Key', '.nope.deep', '.constructor']).map((path) => text + path),
      ),
      call('index', list, fc.oneof(oneOf(['0', '1']), int)),
      call('index', map, string),
      call('slice', call('split', string, '","'), oneOf(['0', '1'])),
    ),
    pipe: fc.oneof(
      { weight: 5, arbitrary: any },
      {
        weight: 1,
        arbitrary: words(any, '|', oneOf(['printf "%v"', 'printf "%q"', 'len', 'html', 'print', 'not', 'toUpper'])),
      },
      { weight: 1, arbitrary: words('printf', format, any, '|', 'printf "<%s>"') },
      { weight: 1, arbitrary: any.map((text) => text.replace(/^\((.*)\)$/s, '$1')) },
    ),
  }
}

/** What a template is made of. */
function nodes(tie: Tie) {
  const [string, list, map, any] = [tie('string'), tie('list'), tie('map'), tie('any')]
  return {
    node: fc.oneof(
      { depthSize: 'small' },
      oneOf(['text', ' ', '\n', '  \n\t', ' } ', '{ ', '}} ', 'é']),
      { weight: 4, arbitrary: action(tie('pipe')) },
      words('{{$x :=', tie('pipe'), '}}'),
      words('{{$x =', tie('pipe'), '}}'),
      words('{{if', tie('pipe'), '}}', tie('body'), '{{else}}', tie('body'), '{{end}}'),
      words('{{if', tie('pipe'), '}}', tie('body'), '{{else if', tie('pipe'), '}}', tie('body'), '{{end}}'),
      words('{{with', tie('pipe'), '}}', tie('body'), '{{else}}', tie('body'), '{{end}}'),
      // Not over integers: the real confd has no limit, and some of them are large.
      words('{{range', fc.oneof(list, map, string), '}}', tie('body'), '{{else}}', tie('body'), '{{end}}'),
      words('{{- range $i, $y :=', fc.oneof(list, map), '}}', tie('body'), '{{end -}}'),
      words('{{range', list, '}}', tie('body'), oneOf(['{{break}}', '{{continue}}', '']), 'x{{end}}'),
      words('{{template "T"', any, '}}'),
      oneOf(['{{/* c */}}', '{{- /* c\n}} */ -}}', '{{template "T"}}', '{{block "B" 1}}b{{.}}{{end}}']),
    ),
    body: fc.array(tie('node'), { maxLength: 4, depthIdentifier: 'body' }).map((nodes) => nodes.join('')),
  }
}

function action(pipe: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const opens = oneOf(['{{', '{{', '{{- ', '{{ '])
  return fc.tuple(opens, pipe, oneOf(['}}', '}}', ' -}}', '\n}}'])).map((parts) => parts.join(''))
}

const BEFORE = [
  '{{$x := 1}}{{$y := json `{}`}}',
  '{{define "T"}}<{{.}}|{{$}}>{{end}}{{$x := "s"}}{{$y := .}}',
  '{{block "T" 1}}{{if .}}t{{end}}{{end}}{{$x := .}}{{$y := ""}}',
]

/** A place of a text, from its start to its end, and what is put there. */
const bend = fc.record({
  at: fc.nat(999),
  cut: fc.nat(3),
  put: oneOf([
    '',
    '',
    '{{',
    '}}',
    '(',
    ')',
    '.',
    '$',
    '|',
    '"',
    "'",
    '`',
    ':=',
    '=',
    ',',
    ' ',
    '-',
    '#',
    'end',
    '1x',
    'é',
    '\\',
  ]),
})

export const anyTemplate = fc
  .tuple(oneOf(BEFORE), body, fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: bend }))
  .map(([before, text, bent]) => (bent === null ? before + text : bentText(before + text, bent)))

function bentText(text: string, { at, cut, put }: { readonly at: number; readonly cut: number; readonly put: string }) {
  const place = Math.floor((text.length * at) / 1_000)
  return text.slice(0, place) + put + text.slice(place + cut)
}
