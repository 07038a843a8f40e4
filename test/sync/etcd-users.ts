import { base64, type Etcd } from './etcd.ts'

/** Authentication is on: `root`, and `app`, who may read what is below /app/. */
export async function withUsers(etcd: Etcd): Promise<void> {
  await etcd.ask('/v3/auth/user/add', { name: 'root', password: 'root' })
  await etcd.ask('/v3/auth/role/add', { name: 'root' })
  await etcd.ask('/v3/auth/user/grant', { user: 'root', role: 'root' })
  await etcd.ask('/v3/auth/user/add', { name: 'app', password: 'secret' })
  await etcd.ask('/v3/auth/role/add', { name: 'app' })
  const perm = { permType: 'READ', key: base64('/app/'), rangeEnd: base64('/app0') }
  await etcd.ask('/v3/auth/role/grant', { name: 'app', perm })
  await etcd.ask('/v3/auth/user/grant', { user: 'app', role: 'app' })
  await etcd.ask('/v3/auth/enable', {})
}
