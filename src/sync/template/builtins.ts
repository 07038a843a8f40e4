import { EQ, GE, GT, LE, LT, NE } from './comparison.ts'
import { HTML_ESCAPE, JS_ESCAPE, URL_ESCAPE } from './escapes.ts'
import { Failure } from './failure.ts'
import { print, printf, println } from './format/printf.ts'
import type { Arguments, Func, Funcs } from './func.ts'
import { INDEX, LEN, SLICE } from './indexing.ts'
import { ANY, STRING, VALUE } from './params.ts'
import { type Evaluated, isTrue, typeName, unboxed } from './values.ts'

/** `and` ends with the first argument that is false, `or` with the first that is true; the rest is not evaluated. */
const deciding = (decides: boolean): Func => ({
  arity: 1,
  isVariadic: true,
  call(given) {
    let value: Evaluated
    while (given.left > 0) {
      value = given.take(VALUE)
      if (isTrue(value) === decides) break
    }
    return value
  },
})

/** No value of a template is a function that could be called. */
function call(given: Arguments): never {
  const value = unboxed(given.take(VALUE))
  given.rest(VALUE)
  if (value === undefined) throw new Failure('call of nil')
  throw new Failure(`non-function ${given.firstText} of type ${typeName(value)}`)
}

/** The functions of Go's text/template (5.4). */
export const BUILTINS: Funcs = new Map<string, Func>([
  ['and', deciding(false)],
  ['or', deciding(true)],
  ['not', { arity: 1, call: (given) => !isTrue(given.take(VALUE)) }],
  ['eq', EQ],
  ['ne', NE],
  ['lt', LT],
  ['le', LE],
  ['gt', GT],
  ['ge', GE],
  ['len', LEN],
  ['index', INDEX],
  ['slice', SLICE],
  ['print', { arity: 0, isVariadic: true, call: (given) => print(given.rest(ANY), given.meter) }],
  ['println', { arity: 0, isVariadic: true, call: (given) => println(given.rest(ANY), given.meter) }],
  ['printf', { arity: 1, isVariadic: true, call: (given) => printf(given.take(STRING), given.rest(ANY), given.meter) }],
  ['html', HTML_ESCAPE],
  ['js', JS_ESCAPE],
  ['urlquery', URL_ESCAPE],
  ['call', { arity: 1, isVariadic: true, call }],
])
