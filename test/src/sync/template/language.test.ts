import { describe, expect, it } from 'vitest'
import { bytesIn } from '../../../../src/sync/template/bytes.ts'
import { parse, render } from '../../../../src/sync/template/template.ts'
import { Dict } from '../../../../src/sync/template/values.ts'
import { aSurrounding, printed, printedOrSaid } from '../../../support/builders/surroundings.ts'

interface LanguageRule {
  readonly name: string
  readonly cases: readonly (readonly [template: string, expected: string])[]
}

/** What the vectors and the comparison with the real confd show many times over, once for each rule. */
const RULES: readonly LanguageRule[] = [
  {
    name: 'SY-TPL-1: no value at the root, and no function beyond the map',
    cases: [
      ['[{{.}}] [{{$}}] [{{.a.b}}]', '[<no value>] [<no value>] [<no value>]'],
      ['{{range 3}}{{.}}{{end}}', '012'],
      ['{{default "a" "b"}}', 'template: a.tmpl:1: function "default" not defined'],
    ],
  },
  {
    name: 'SY-TPL-2: an integer is no float',
    cases: [
      ['{{7}} {{7.0}} {{printf "%T %T" 7 7.0}}', '7 7 int float64'],
      ['{{(json "{}").constructor}}', '<no value>'],
    ],
  },
  {
    name: 'SY-TPL-3: a marker trims four kinds of white space',
    cases: [
      ['a \t\r\n{{- 1 -}}\n b', 'a1b'],
      ['a\u00a0{{- 1}}', 'a\u00a01'],
      ['{{-3}} }}', '-3 }}'],
      ['a{{-1', 'template: a.tmpl:1: unclosed action'],
    ],
  },
  {
    name: 'SY-TPL-4: a comment is the whole action',
    cases: [
      ['a{{/* }} \n */}}b', 'ab'],
      ['a {{- /* x */ -}} b', 'ab'],
      ['{{/* x */ 1}}', 'template: a.tmpl:1: comment ends before closing delimiter'],
    ],
  },
  {
    name: 'SY-TPL-5: literals are those of Go',
    cases: [
      ['{{"\\a\\x41\\101\\u00e9\\U0001F600\\\\"}}{{`\\n`}}', '\x07AAé😀\\\\n'],
      [`{{0x1F}} {{0o17}} {{017}} {{0b11}} {{1_000}} {{'a'}} {{0x1p-2}} {{1+2i}}`, '31 15 15 3 1000 97 0.25 (1+2i)'],
      ['{{add 1e3 2.0}}', '1002'],
      ['{{1+i}}', 'template: a.tmpl:1: syntax error scanning complex number'],
      ['{{08}}', 'template: a.tmpl:1: integer overflow: "08"'],
      ['{{nil}}', 'template: a.tmpl:1:2: executing "a.tmpl" at <nil>: nil is not a command'],
    ],
  },
  {
    name: 'SY-TPL-6: operands',
    cases: [
      ['{{$m := map "k" (map "j" 1)}}{{$m.k.j}} {{($m).k.j}} {{(index $m "k").j}}', '1 1 1'],
      ['{{.a-b}}', "template: a.tmpl:1: bad character U+002D '-'"],
      ['{{1.a}}', 'template: a.tmpl:1: bad number syntax: "1.a"'],
      ['{{"s".a}}', 'template: a.tmpl:1: unexpected . after term "\\"s\\""'],
    ],
  },
  {
    name: 'SY-TPL-7: a pipe hands on the last argument',
    cases: [
      ['{{"b" | printf "%s%s" "a" | len}}', '2'],
      ['{{1 | }}', '1'],
      ['{{1 | 2}}', 'template: a.tmpl:1: non executable command in pipeline stage 2'],
      ['{{printf "%d"1}}', 'template: a.tmpl:1: unexpected "1" in operand'],
    ],
  },
  {
    name: 'SY-TPL-8: a variable lives until the end of its structure',
    cases: [
      ['{{$x := 1}}{{if true}}{{$x = "a"}}{{$x := 2}}{{$x}}{{end}}{{$x}}', '2a'],
      ['{{if true}}{{$x := 1}}{{end}}{{$x}}', 'template: a.tmpl:1: undefined variable "$x"'],
      ['{{$x = 1}}', 'template: a.tmpl:1:7: executing "a.tmpl" at <1>: undefined variable: $x'],
      ['{{$x := 1}}{{if true}}{{$x := 2}}{{template "T"}}{{end}}{{$x}}{{define "T"}}{{$x := 3}}{{end}}', '1'],
      ['{{define "T"}}{{$}}{{end}}{{template "T" 7}}', '7'],
    ],
  },
  {
    name: 'SY-TPL-9: control structures',
    cases: [
      ['{{if 0}}a{{else if 1}}b{{else}}c{{end}}{{with 0}}a{{else with 2}}{{.}}{{end}}', 'b2'],
      ['{{range $i, $e := split "a,b,c" ","}}{{if eq $i 1}}{{continue}}{{end}}{{$e}}{{else}}none{{end}}', 'ac'],
      ['{{range seq 1 9}}{{if eq . 3}}{{break}}{{end}}{{.}}{{end}}', '12'],
      ['{{range seq 1 2}}{{$x := .}}{{$x}}{{end}}', '12'],
      ['{{break}}', 'template: a.tmpl:1: {{break}} outside {{range}}'],
      ['{{range 1}}{{define "T"}}{{end}}{{end}}', 'template: a.tmpl:1: unexpected <define> in command'],
    ],
  },
  {
    name: 'SY-TPL-10: what is empty is false',
    cases: [
      [
        '{{range jsonArray "[0, 1, \\"\\", \\"0\\", null, [], [0], {}, false]"}}{{if .}}T{{else}}F{{end}}{{end}}',
        'FTFTFFTFF',
      ],
      ['{{if datetime}}T{{end}}', 'T'],
    ],
  },
  {
    name: 'SY-TPL-11: lists, and maps in the order of their keys',
    cases: [
      [
        '{{range $k, $v := json "{\\"é\\":1,\\"b\\":2,\\"B\\":3,\\"10\\":4,\\"9\\":5}"}}{{$k}}{{$v}} {{end}}',
        '104 95 B3 b2 é1 ',
      ],
      ['{{range .}}x{{else}}none{{end}}', 'none'],
      ['{{range "abc"}}{{end}}', 'template: a.tmpl:1:8: executing "a.tmpl" at <"abc">: range can\'t iterate over abc'],
    ],
  },
  {
    name: 'SY-TPL-12: what is missing, and what is null',
    cases: [
      [
        '{{$d := json "{\\"n\\":null}"}}{{$d.n}} {{$d.m}} {{$d.m.deep}} {{eq $d.m nil}}',
        '<no value> <no value> <no value> true',
      ],
      [
        '{{(json "{\\"n\\":null}").n.x}}',
        'template: a.tmpl:1:8: executing "a.tmpl" at <"{\\"n\\":null}">: nil pointer evaluating interface {}.x',
      ],
      ['{{base .x}}', 'template: a.tmpl:1:7: executing "a.tmpl" at <.x>: invalid value; expected string'],
      ['{{printf "%v" .x}} {{html .x}}', '<nil> &lt;no value&gt;'],
    ],
  },
  {
    name: 'SY-TPL-13: associated templates',
    cases: [
      ['{{template "T" 1}}{{define "T"}}<{{.}}>{{end}}{{block "B" 2}}[{{.}}]{{end}}', '<1>[2]'],
      ['{{define "T"}}1{{end}}{{define "T"}} \n{{end}}{{template "T"}}', '1'],
      [
        '{{define "T"}}1{{end}}{{define "T"}}2{{end}}',
        'template: a.tmpl:1: template: multiple definition of template "T"',
      ],
      ['{{template "T"}}', 'template: a.tmpl:1:11: executing "a.tmpl" at <{{template "T"}}>: template "T" not defined'],
    ],
  },
  {
    name: 'SY-FMT-1: values print as with %v',
    cases: [
      [
        '{{100000.0}} {{999999.5}} {{1000000.0}} {{1234567.0}} {{0.0001}} {{0.00001}}',
        '100000 999999.5 1e+06 1.234567e+06 0.0001 1e-05',
      ],
      ['{{split "a,b" ","}} {{json "{\\"b\\":[null],\\"a\\":{}}"}} {{true}}', '[a b] map[a:map[] b:[<nil>]] true'],
    ],
  },
  {
    name: 'SY-FMT-2: verbs, flags and arguments by number',
    cases: [
      [
        '{{printf "%+d|%x|%#o|%08.3f|%-6s|%q|%U|%c|%e|%%" 1 255 8 3.14159 "a" "\\"" 65 65 1.5}}',
        '+1|ff|010|0003.142|a     |"\\""|U+0041|A|1.500000e+00|%',
      ],
      ['{{printf "%[2]s %[1]s %*d" "a" "b" 4 7}}', 'b a %!(BADWIDTH)4'],
      ['{{printf "%d %#v %+v" (seq 1 2) (split "a" ",") (map "k" 1)}}', '[1 2] []string{"a"} map[k:1]'],
      ['{{printf "%x %.0f %.1f %g %b" 1.0 2.5 0.25 1e21 1.0}}', '0x1p+00 2 0.2 1e+21 4503599627370496p-52'],
    ],
  },
  {
    name: 'SY-FMT-3: what is wrong is printed',
    cases: [
      [
        '{{printf "%8G" (index "t" 0)}} {{printf "%w" (map)}}',
        '%!G(uint8=     116) %!w(map[string]interface {}=map[])',
      ],
      [
        '{{printf "%d" "a"}} {{printf "%s"}} {{printf "%d" 1 2 "x"}}',
        '%!d(string=a) %!s(MISSING) 1%!(EXTRA int=2, string=x)',
      ],
      [
        '{{printf "%"}} {{printf "%[3]d" 1}} {{printf "%s" nil}} {{printf "%z" 1}}',
        '%!(NOVERB) %!d(BADINDEX) %!s(<nil>) %!z(int=1)',
      ],
      ['{{printf "%T %T %T" datetime.Unix (index "a" 0) (gets "/*")}}', 'int64 uint8 memkv.KVPairs'],
    ],
  },
  {
    name: 'SY-FMT-4: a width counts runes and has a limit',
    cases: [
      ['[{{printf "%3s|%-3s|%05d" "é" "é" -42}}]', '[  é|é  |-0042]'],
      ['{{len (printf "%10000d" 1)}} {{printf "%10001d" 1}}', '10000 %!(NOVERB)%!(EXTRA int=1)'],
      ['{{len (printf "%*d" 10000 1)}} {{printf "%*d" 10001 1}}', '10000 %!(BADWIDTH)1'],
    ],
  },
  {
    name: 'SY-FN-1: arguments that do not fit',
    cases: [
      ['{{add 1}}', 'template: a.tmpl:1:2: executing "a.tmpl" at <add>: wrong number of args for add: want 2 got 1'],
      [
        '{{getv}}',
        'template: a.tmpl:1:2: executing "a.tmpl" at <getv>: wrong number of args for getv: want at least 1 got 0',
      ],
      ['{{add "1" 2}}', 'template: a.tmpl:1:6: executing "a.tmpl" at <"1">: expected integer; found "1"'],
      ['{{base 1}}', 'template: a.tmpl:1:7: executing "a.tmpl" at <1>: expected string; found 1'],
      [
        '{{add (index (jsonArray "[1]") 0) 2}}',
        'template: a.tmpl:1:31: executing "a.tmpl" at <0>: wrong type for value; expected int; got float64',
      ],
      ['{{add 1 2}} {{1 | add 2}}', '3 3'],
    ],
  },
  {
    name: 'SY-ERR-1: an error has its place',
    cases: [
      ['a\n\n{{if}}', 'template: a.tmpl:3: missing value for if'],
      ['a\né{{base .x.y}}', 'template: a.tmpl:2:11: executing "a.tmpl" at <.x.y>: invalid value; expected string'],
      [
        '{{define "T"}}{{div 1 0}}{{end}}{{template "T"}}',
        'template: a.tmpl:1:16: executing "T" at <div 1 0>: error calling div: runtime error: integer divide by zero',
      ],
      ['{{"a', 'template: a.tmpl:1: unterminated quoted string'],
      ['{{if 1}}\n{{.\n', 'template: a.tmpl:3: unclosed action started at a.tmpl:2'],
    ],
  },
]

describe.each(RULES)('$name', ({ cases }) => {
  it.each(cases)('%j', (template, expected) => expect(printedOrSaid(template)).toBe(expected))
})

describe('SY-TPL-14: strict', () => {
  const dot = new Dict(new Map([['k', new Dict(new Map())]]))

  it.each([
    ['{{.k.nope}}', 'template: a.tmpl:1:4: executing "a.tmpl" at <.k.nope>: map has no entry for key "nope"'],
    ['{{index .k "nope"}}', '<no value>'],
    ['{{.k}}', 'map[]'],
  ])('%s', (template, expected) => expect(printedOrSaid(template, { options: { strict: true, dot } })).toBe(expected))

  it('is off unless it is asked for', () => expect(printed('{{.k.nope}}', { options: { dot } })).toBe('<no value>'))
})

describe('bytes that are no UTF-8', () => {
  it('pass through a template unchanged', () => {
    const values = new Map([['/raw', bytesIn(Buffer.from([0xff, 0x00, 0xc3]))]])
    const output = render(parse('a', Buffer.from('{{getv "/raw"}}{{len (getv "/raw")}}')), {
      ...aSurrounding(),
      values,
    })
    expect(Buffer.from(output)).toEqual(Buffer.from([0xff, 0x00, 0xc3, 0x33]))
  })
})
