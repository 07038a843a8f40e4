import type { Bytes } from '../bytes.ts'
import { type CostMeter, tooExpensive } from '../meter.ts'
import { sizedText } from '../methods.ts'
import { GoTime } from '../moment.ts'
import { Imaginary } from '../number-literal.ts'
import { timeText } from '../time-layout.ts'
import { type AnyValue, Dict, KeyValue, Sized, Slice, typeName } from '../values.ts'
import { type Flags, NO_FLAGS, padded } from './flags.ts'
import { floatText } from './floats.ts'
import { integerText } from './integers.ts'
import { stringText } from './strings.ts'

const MOST_DEPTH = 1_000

/** Prints values as Go's fmt does, into one text (SY-FMT-1 to -3). */
export class Printer {
  private readonly meter: CostMeter
  private readonly parts: Bytes[] = []
  private length = 0
  private depth = 0
  private flags: Flags = NO_FLAGS

  constructor(meter: CostMeter) {
    this.meter = meter
  }

  get text(): Bytes {
    return this.parts.join('')
  }

  write(text: Bytes): void {
    this.length += text.length
    this.meter.make(text.length)
    this.meter.checkValue(this.length)
    this.parts.push(text)
  }

  print(value: AnyValue, verb = 'v', flags: Flags = NO_FLAGS): void {
    this.flags = flags
    if (value === null) this.write(nilText(verb, flags))
    else if (verb === 'T') this.write(stringText(typeName(value), 's', flags) ?? '')
    else if (verb === 'w') this.wrapped(value)
    else this.value(value, verb)
  }

  /** The verb of errors, and no value of a template is one. */
  private wrapped(value: AnyValue): void {
    this.write(`%!w(${typeName(value)}=`)
    this.value(value, 'v')
    this.write(')')
  }

  private value(value: AnyValue, verb: string): void {
    this.meter.step()
    this.depth++
    if (this.depth > MOST_DEPTH) throw tooExpensive(`values nested more than ${MOST_DEPTH} deep`)
    this.valueAtDepth(value, verb)
    this.depth--
  }

  private valueAtDepth(value: AnyValue, verb: string): void {
    if (value === null) this.write(this.flags.sharpV ? 'interface {}(nil)' : '<nil>')
    else if (value instanceof Slice) this.slice(value, verb)
    else if (value instanceof Dict) this.dict(value, verb)
    else if (value instanceof KeyValue) this.pair(value, verb)
    else this.write(this.simple(value, verb) ?? this.bad(value, verb))
  }

  private simple(value: Simple, verb: string): Bytes | undefined {
    if (typeof value === 'string') return stringText(value, verb, this.flags)
    if (typeof value === 'bigint') return integerText({ value, isSigned: true }, verb, this.flags)
    if (typeof value === 'number') return floatText(value, verb === 'v' ? 'g' : verb, this.flags)
    if (typeof value === 'boolean') return 'tv'.includes(verb) ? padded(String(value), this.flags) : undefined
    if (value instanceof Imaginary) return this.imaginary(value, verb)
    const named = value instanceof GoTime ? timeText(value) : sizedText(value)
    if (named !== undefined && 'vsxXq'.includes(verb) && !this.flags.sharpV) return stringText(named, verb, this.flags)
    if (value instanceof GoTime) return undefined
    return this.sized(value, verb)
  }

  private sized({ value, type }: Sized, verb: string): Bytes | undefined {
    return integerText({ value, isSigned: type !== 'uint8' }, verb, this.flags)
  }

  /** The value cannot be printed so: what it is, in place of it. */
  private bad(value: Simple, verb: string): Bytes {
    const shown = value instanceof Sized ? this.sized(value, 'v') : this.simple(value, 'v')
    return `%!${verb}(${typeName(value)}=${shown ?? ''})`
  }

  private slice({ type, items, isNil }: Slice, verb: string): void {
    this.listed(
      { type, isNil, opens: '[' },
      items.map((item) => () => this.value(item, verb)),
    )
  }

  private dict(dict: Dict, verb: string): void {
    this.listed(
      { type: typeName(dict), isNil: dict.isNil, opens: 'map[' },
      dict.sorted.map(([key, value]) => () => {
        this.value(key, verb)
        this.write(':')
        this.value(value, verb)
      }),
    )
  }

  private listed({ type, isNil, opens }: ListWords, items: readonly (() => void)[]): void {
    const { sharpV } = this.flags
    this.write(sharpV ? `${type}${isNil ? '(nil)' : '{'}` : opens)
    for (const [i, print] of items.entries()) {
      if (i > 0) this.write(sharpV ? ', ' : ' ')
      print()
    }
    if (!sharpV || !isNil) this.write(sharpV ? '}' : ']')
  }

  private pair({ key, value }: KeyValue, verb: string): void {
    const { sharpV, plusV } = this.flags
    const hasNames = sharpV || plusV
    this.write(sharpV ? 'memkv.KVPair{' : '{')
    if (hasNames) this.write('Key:')
    this.value(key, verb)
    this.write(sharpV ? ', ' : ' ')
    if (hasNames) this.write('Value:')
    this.value(value, verb)
    this.write('}')
  }

  private imaginary({ real, imaginary }: Imaginary, verb: string): Bytes | undefined {
    const one = verb === 'v' ? 'g' : verb
    const [first, second] = [floatText(real, one, this.flags), floatText(imaginary, one, { ...this.flags, plus: true })]
    return first === undefined ? undefined : `(${first}${second}i)`
  }
}

type Simple = Bytes | bigint | number | boolean | Sized | GoTime | Imaginary

interface ListWords {
  readonly type: string
  readonly isNil: boolean
  readonly opens: string
}

function nilText(verb: string, flags: Flags): Bytes {
  return verb === 'T' || verb === 'v' ? padded('<nil>', flags) : `%!${verb}(<nil>)`
}
