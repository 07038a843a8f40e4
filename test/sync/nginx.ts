import { inject } from 'vitest'
import { type Component, startComponent } from './component.ts'

/** All that an nginx needs around the servers of a test, in folders of its own. */
export function nginxConf(folder: string, servers: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return [
    process.getuid?.() === 0 ? 'user root;' : '',
    'daemon off;',
    'worker_processes 2;',
    `pid ${folder}/nginx.pid;`,
    `error_log ${folder}/error.log;`,
    'events { worker_connections 256; }',
    'http {',
    'access_log off;',
    ...temporary.map((name) => `${name}_temp_path ${folder}/${name};`),
    servers,
    '}\n',
  ].join('\n')
}

/** Serves by the file, which is there. */
export async function startNginx(file: string, isReady: () => Promise<boolean>): Promise<Component> {
  return startComponent({
    name: 'nginx',
    program: () => ({ command: inject('components').nginx, args: ['-c', file, '-e', `${file}.log`] }),
    isReady,
  })
}
