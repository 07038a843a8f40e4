import { readFileSync } from 'node:fs'
import { LineCounter, parseDocument } from 'yaml'
import { UsageError } from '../config.ts'
import { unreadable } from '../process/files.ts'

/** Reads the file of `--config`. Values stay the text of the file: as a number, version 1.30 would be 1.3. */
export function settingsIn(path: string): unknown {
  const lineCounter = new LineCounter()
  const document = parseDocument(contentOf(path), {
    schema: 'failsafe',
    lineCounter,
    prettyErrors: false,
    logLevel: 'error',
  })
  const [error] = document.errors
  if (error !== undefined)
    throw new UsageError(`${path}:${lineCounter.linePos(error.pos[0]).line}: ${error.message}`, { cause: error })
  return valueIn(document, path)
}

/** An alias may stand for nothing, or for too much. */
function valueIn(document: ReturnType<typeof parseDocument>, path: string): unknown {
  try {
    return document.toJS()
  } catch (cause) {
    throw new UsageError(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw unreadable(path, cause)
  }
}
