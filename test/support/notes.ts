import { type Log, logTo } from '../../src/telemetry/log.ts'

type Line = Readonly<Record<string, unknown>>

/** The log as its readers get it, with its allow-list, and somebody to wait for a message. */
export interface Notes extends Log {
  readonly lines: readonly Line[]
  until(message: string): Promise<void>
}

export function notes(): Notes {
  const lines: Line[] = []
  const waiting: { message: string; resolve: () => void }[] = []
  const write = (text: string) => {
    const line = JSON.parse(text)
    lines.push(line)
    for (const { message, resolve } of waiting) if (line.msg === message) resolve()
  }
  return Object.assign(logTo({ write }, 'debug'), {
    lines,
    until: (message: string) =>
      lines.some(({ msg }) => msg === message)
        ? Promise.resolve()
        : new Promise<void>((resolve) => void waiting.push({ message, resolve })),
  })
}
