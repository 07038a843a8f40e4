import type { Program } from './processes.ts'

/** One etcd, or a member of several. */
export interface Member {
  readonly command: string
  /** The folder of what it stores. */
  readonly data: string
  readonly client: string
  readonly peer: string
  readonly name?: string
  /** All members, as `NAME=PEER` with commas between them. */
  readonly cluster?: string
  readonly flags?: readonly string[]
}

export function etcdProgram(member: Member): Program {
  const { command, data, client, peer, name = 'test', cluster = `${name}=${peer}`, flags = [] } = member
  return {
    name: 'etcd',
    command,
    args: [
      `--name=${name}`,
      `--data-dir=${data}`,
      '--unsafe-no-fsync',
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peer}`,
      `--initial-advertise-peer-urls=${peer}`,
      `--initial-cluster=${cluster}`,
      ...flags,
    ],
  }
}
