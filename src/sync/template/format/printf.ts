import type { Bytes } from '../bytes.ts'
import type { CostMeter } from '../meter.ts'
import { runeAt, utf8 } from '../runes.ts'
import { type AnyValue, Sized, typeName } from '../values.ts'
import { type Flags, NO_FLAGS } from './flags.ts'
import { Printer } from './printer.ts'

/** Go refuses above 1,000,000 (SY-FMT-4). */
const MOST_WIDTH = 10_000

/** As Go's fmt.Sprintf: what is wrong is printed in place, it does not fail (SY-FMT-2, SY-FMT-3). */
export function printf(format: Bytes, args: readonly AnyValue[], meter: CostMeter): Bytes {
  return new Formatter(format, args, new Printer(meter)).run()
}

/** As Go's fmt.Sprint: a space between operands of which none is a string. */
export function print(args: readonly AnyValue[], meter: CostMeter): Bytes {
  const printer = new Printer(meter)
  for (const [i, arg] of args.entries()) {
    if (i > 0 && typeof arg !== 'string' && typeof args[i - 1] !== 'string') printer.write(' ')
    printer.print(arg)
  }
  return printer.text
}

export function println(args: readonly AnyValue[], meter: CostMeter): Bytes {
  const printer = new Printer(meter)
  for (const [i, arg] of args.entries()) {
    if (i > 0) printer.write(' ')
    printer.print(arg)
  }
  printer.write('\n')
  return printer.text
}

const FLAG_NAMES: Readonly<Record<string, 'minus' | 'plus' | 'sharp' | 'space' | 'zero'>> = {
  '-': 'minus',
  '+': 'plus',
  '#': 'sharp',
  ' ': 'space',
  0: 'zero',
}

class Formatter {
  private readonly format: Bytes
  private readonly args: readonly AnyValue[]
  private readonly printer: Printer
  private at = 0
  private arg = 0
  private isReordered = false
  private hasGoodArg = true
  /** The directive names its argument by number. */
  private isIndexed = false

  constructor(format: Bytes, args: readonly AnyValue[], printer: Printer) {
    this.format = format
    this.args = args
    this.printer = printer
  }

  run(): Bytes {
    while (this.at < this.format.length) {
      const next = this.format.indexOf('%', this.at)
      const end = next < 0 ? this.format.length : next
      if (end > this.at) this.printer.write(this.format.slice(this.at, end))
      this.at = end + 1
      if (next >= 0) this.directive()
    }
    if (!this.isReordered && this.arg < this.args.length) this.extra()
    return this.printer.text
  }

  private directive(): void {
    this.hasGoodArg = true
    this.isIndexed = false
    const flags = this.precision(this.width(this.flags()))
    if (!this.isIndexed) this.index()
    if (this.at < this.format.length) this.verb(this.nextRune(), flags)
    else this.printer.write('%!(NOVERB)')
  }

  private nextRune(): Bytes {
    const { code, width } = runeAt(this.format, this.at)
    this.at += width
    return utf8(code)
  }

  private verb(verb: Bytes, flags: Flags): void {
    const arg = this.args[this.arg]
    if (verb === '%') this.printer.write('%')
    else if (!this.hasGoodArg) this.printer.write(`%!${verb}(BADINDEX)`)
    else if (arg === undefined) this.printer.write(`%!${verb}(MISSING)`)
    else {
      this.arg++
      this.printer.print(arg, verb, verb === 'v' || verb === 'w' ? ofStructures(flags) : flags)
    }
  }

  private flags(): Flags {
    const flags = { ...NO_FLAGS }
    for (; ; this.at++) {
      const name = FLAG_NAMES[this.format.charAt(this.at)]
      if (name === undefined) return flags
      flags[name] = true
    }
  }

  private width(flags: Flags): Flags {
    this.index()
    if (this.format.charAt(this.at) !== '*') {
      const width = this.number()
      if (this.isIndexed && width !== undefined) this.hasGoodArg = false
      return { ...flags, width }
    }
    const width = this.starred()
    if (width === undefined) this.printer.write('%!(BADWIDTH)')
    if (width === undefined || width >= 0) return { ...flags, width }
    return { ...flags, width: -width, minus: true, zero: false }
  }

  private precision(flags: Flags): Flags {
    if (this.format.charAt(this.at) !== '.' || this.at + 1 >= this.format.length) return flags
    this.at++
    if (this.isIndexed) this.hasGoodArg = false
    this.index()
    if (this.format.charAt(this.at) !== '*') return { ...flags, precision: this.number() ?? 0 }
    const precision = this.starred()
    const isGood = precision !== undefined && precision >= 0
    if (!isGood) this.printer.write('%!(BADPREC)')
    return isGood ? { ...flags, precision } : flags
  }

  /** A number that is too large takes the rest of the format with it, as in Go. */
  private number(): number | undefined {
    const start = this.at
    while (/[0-9]/.test(this.format.charAt(this.at))) this.at++
    if (this.at === start) return undefined
    const number = Number(this.format.slice(start, this.at))
    if (number <= MOST_WIDTH) return number
    this.at = this.format.length
    return undefined
  }

  /** The width or precision that an argument gives. */
  private starred(): number | undefined {
    this.at++
    this.isIndexed = false
    const arg = this.args[this.arg]
    if (this.arg < this.args.length) this.arg++
    const value = typeof arg === 'bigint' ? arg : arg instanceof Sized ? arg.value : undefined
    if (value === undefined || value > MOST_WIDTH || value < -MOST_WIDTH) return undefined
    return Number(value)
  }

  /** `[2]`: the number of the argument to take next. */
  private index(): void {
    this.isIndexed = false
    if (this.format.charAt(this.at) !== '[') return
    this.isReordered = true
    const end = this.at + 3 > this.format.length ? -1 : this.format.indexOf(']', this.at)
    const text = this.format.slice(this.at + 1, end)
    const isNumber = end >= 0 && /^[0-9]{1,9}$/.test(text)
    const number = Number(text)
    const isThere = isNumber && number >= 1 && number <= this.args.length
    this.at = end < 0 ? this.at + 1 : end + 1
    if (isThere) this.arg = number - 1
    else this.hasGoodArg = false
    this.isIndexed = isNumber
  }

  private extra(): void {
    this.printer.write('%!(EXTRA ')
    for (const [i, arg] of this.args.slice(this.arg).entries()) {
      if (i > 0) this.printer.write(', ')
      if (arg !== null) this.printer.write(`${typeName(arg)}=`)
      this.printer.print(arg)
    }
    this.printer.write(')')
  }
}

const ofStructures = (flags: Flags): Flags => {
  return { ...flags, sharpV: flags.sharp, plusV: flags.plus, sharp: false, plus: false }
}
