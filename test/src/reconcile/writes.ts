import { Fault, type FaultCode } from '../../../src/faults.ts'

export const fault = (code: FaultCode) => new Fault(code, `it was ${code}`)
