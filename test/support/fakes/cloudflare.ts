import {
  type Cloudflare,
  type CloudflareAccess,
  type CloudflareCall,
  CloudflareFault,
  type CloudflareQuestion,
} from '../../../src/remote/cloudflare/port.ts'

type Answers = (asked: string, question: CloudflareQuestion) => unknown

/** A Cloudflare that answers what a test says, `GET /zones` for example; its time stands until a test moves it. */
export class ScriptedCloudflare implements Cloudflare {
  now = 0
  readonly asked: string[] = []
  readonly accesses: CloudflareAccess[] = []
  readonly #answers: Answers

  constructor(answers: Answers = () => []) {
    this.#answers = answers
  }

  tick = (): number => this.now
  pause = (): Promise<void> => Promise.resolve()
  random = (): number => 0

  async ask<R>(call: CloudflareCall<R>, question: CloudflareQuestion): Promise<R> {
    const path = call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => question.params?.[name] ?? '')
    const asked = `${call.method} ${path}`
    this.asked.push(asked)
    this.accesses.push(question.access)
    const answer = this.#answers(asked, question)
    if (!call.is(answer)) throw new CloudflareFault('REMOTE_FAILED', `${asked}: the result has another shape`)
    return answer
  }

  list<R>(call: CloudflareCall<readonly R[]>, question: CloudflareQuestion): Promise<readonly R[]> {
    return this.ask(call, question)
  }
}
