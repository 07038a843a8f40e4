import type { Range } from './ranges.ts'
import { bytesField, Message, message, numberField } from './wire.ts'

/** The messages of etcd's API that we send or read, with the fields that we use. Keys and values are byte strings. */

export const METHODS = {
  txn: '/etcdserverpb.KV/Txn',
  watch: '/etcdserverpb.Watch/Watch',
  authenticate: '/etcdserverpb.Auth/Authenticate',
} as const
export type Method = (typeof METHODS)[keyof typeof METHODS]

export interface Header {
  readonly cluster: bigint
  readonly revision: bigint
}

export interface Found {
  readonly header: Header
  /** In the order of the ranges that were asked for. */
  readonly ranges: readonly (readonly Value[])[]
}

export type Value = readonly [key: string, value: string]

export interface WatchAnswer {
  readonly header: Header
  readonly id: bigint
  readonly created: boolean
  readonly canceled: boolean
  readonly compactRevision: bigint
  readonly cancelReason: string
  /** More events of the same revision follow. */
  readonly fragment: boolean
  readonly events: readonly Event[]
}

interface Event {
  readonly key: string
  readonly modRevision: bigint
}

/** Reads all ranges at one revision; 0 is the present one. */
export function txnOf(ranges: readonly Range[], revision: bigint): Buffer {
  const reads = ranges.map((range) => message(...boundsOf(range), numberField(4, revision)))
  return message(...reads.map((read) => bytesField(2, bytesField(1, read))))
}

/** From 0, which is now, or from a revision of the past. Big answers come in parts. */
export function watchOf(range: Range, from: bigint): Buffer {
  const [progressNotify, fragment] = [numberField(4, true), numberField(8, true)]
  return bytesField(1, message(...boundsOf(range), numberField(3, from), progressNotify, fragment))
}

export function authenticateOf(name: string, password: string): Buffer {
  return message(bytesField(1, Buffer.from(name)), bytesField(2, Buffer.from(password)))
}

const boundsOf = ({ from, to }: Range) => [bytesField(1, bytesOf(from)), bytesField(2, bytesOf(to))]

export function foundIn(answer: Buffer): Found {
  const txn = new Message(answer)
  return { header: headerOf(txn), ranges: txn.all(3).map((response) => valuesIn(new Message(response).bytes(1))) }
}

function valuesIn(range: Buffer): readonly Value[] {
  const values = new Message(range).all(2).map((bytes) => new Message(bytes))
  return values.map((value) => [textOf(value.bytes(1)), textOf(value.bytes(5))])
}

export function watchAnswerOf(bytes: Buffer): WatchAnswer {
  const answer = new Message(bytes)
  return {
    header: headerOf(answer),
    id: answer.number(2),
    created: answer.flag(3),
    canceled: answer.flag(4),
    compactRevision: answer.number(5),
    cancelReason: answer.bytes(6).toString(),
    fragment: answer.flag(7),
    events: answer.all(11).map(eventOf),
  }
}

export function tokenIn(answer: Buffer): string {
  return new Message(answer).bytes(2).toString()
}

function eventOf(bytes: Buffer): Event {
  const value = new Message(new Message(bytes).bytes(2))
  return { key: textOf(value.bytes(1)), modRevision: value.number(3) }
}

function headerOf(answer: Message): Header {
  const header = new Message(answer.bytes(1))
  return { cluster: header.number(1), revision: header.number(3) }
}

const bytesOf = (text: string) => Buffer.from(text, 'latin1')
const textOf = (bytes: Buffer) => bytes.toString('latin1')
