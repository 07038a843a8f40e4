import { expect, inject, it } from 'vitest'
import { aStore, once } from '../support/sync/once.ts'

const UPSTREAM = `
pid OUT/pid;
error_log OUT/errors;
events {}
http {
  upstream backends { {{getv "/k"}} }
  server { listen 127.0.0.1:8080; location / { proxy_pass http://backends; } }
}
`

it.each([
  { value: 'Zq7vKx2mWp9;', says: 'unknown directive "…" in STAGE:6' },
  { value: 'server 192.0.2.1 Zq7vKx2mWp9;', says: 'invalid parameter "…" in STAGE:6' },
  { value: 'server Zq7vKx2mWp9.example:80;', says: 'host not found in upstream "…" in STAGE:6' },
  { value: 'server 192.0.2.1:99999;', says: 'invalid port in upstream "…" in STAGE:6' },
  { value: 'server 192.0.2.1:80', says: 'unexpected "}" in STAGE:6' },
  { value: 'server "192.0.2.1:80; Zq7vKx2mWp9', says: 'unexpected end of file, expecting ";" or "}" in STAGE:9' },
  { value: '', says: 'no servers are inside upstream in STAGE:6' },
])(
  'SY-FAIL-12 of what nginx says of the value $value, the log has the mistake and its line',
  async ({ value, says }) => {
    const conf = {
      'a.toml': `src = "a"\ndest = "OUT/a.conf"\nkeys = ["/k"]\ncheck_cmd = "${inject('components').nginx} -t -c {{.src}}"`,
    }
    const store = aStore({ '/k': value })
    const { sync, lines, lay, out } = await once({ store, conf })
    lay('templates/a', UPSTREAM.replaceAll('OUT', out))
    expect(await sync.start()).toBe(1)
    const [{ output = '' } = {}] = lines.filter(({ msg }) => msg === 'pass has failed')
    expect(String(output).replaceAll(/\/\S+\/\.a\.conf\.[\da-f]{12}/g, 'STAGE')).toBe(
      `… [emerg] …: ${says}\nnginx: configuration file STAGE test failed\n`,
    )
  },
)
