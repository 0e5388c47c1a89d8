/**
 * HAProxy, three times in one process: before the API nodes, before the PostgreSQL that accepts writes, and before one
 * that follows it.
 *
 * A request whose node dies is sent to another one, if that can do no harm: a POST only with an `Idempotency-Key`. Who
 * accepts writes is what Patroni says at `/primary`, and a member that no longer does loses its connections, or a node
 * would go on talking to somebody who was deposed. A request to a follower goes to the primary while there is none.
 */
import { createConnection } from 'node:net'
import { writeFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { startChild, until } from './child.ts'

export interface LoadBalancer extends AsyncDisposable {
  isUp(backend: string, server: string): Promise<boolean>
  /** Until one server of the backend is up. */
  sees(backend: 'primary' | 'replicas'): Promise<void>
}

export interface LoadBalancerOptions {
  readonly folder: string
  readonly ports: { readonly api: number; readonly primary: number; readonly standby: number }
  readonly nodes: readonly { readonly host: string; readonly port: number }[]
  readonly members: readonly { readonly host: string; readonly port: number; readonly restPort: number }[]
}

export async function openLoadBalancer({ folder, ports, nodes, members }: LoadBalancerOptions): Promise<LoadBalancer> {
  const socket = `${folder}/haproxy.sock`
  const file = `${folder}/haproxy.cfg`
  const membersAs = (options: string) =>
    members
      .map(
        ({ host, port, restPort }, index) =>
          `  server member${index} ${host}:${port} check port ${restPort} ${options}`,
      )
      .join('\n')
  await writeFile(
    file,
    `global
  nbthread 1
  maxconn 4000
  stats socket ${socket} mode 600 level admin

defaults
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  # A node that is only slow, on a machine that is only busy, is not to be taken for a dead one.
  timeout check 3s
  timeout queue 5s

frontend api
  mode http
  bind 127.0.0.1:${ports.api}
  option forwardfor
  default_backend api

backend api
  mode http
  balance roundrobin
  option httpchk GET /readyz
  option redispatch 1
  retries 3
  retry-on conn-failure empty-response
  http-request disable-l7-retry if METH_POST !{ req.hdr(Idempotency-Key) -m found }
  default-server inter 500ms fastinter 200ms downinter 300ms fall 3 rise 1
${nodes.map(({ host, port }, index) => `  server node${index} ${host}:${port} check`).join('\n')}
  # When all look dead the check is the likelier liar, and a node says better what is wrong than HAProxy does.
  option allbackups
${nodes.map(({ host, port }, index) => `  server anyway${index} ${host}:${port} backup`).join('\n')}

frontend primary
  mode tcp
  bind 127.0.0.1:${ports.primary}
  default_backend primary

frontend standby
  mode tcp
  bind 127.0.0.1:${ports.standby}
  use_backend replicas if { nbsrv(replicas) gt 0 }
  default_backend primary

backend primary
  mode tcp
  # A primary that refuses is away: said at once, and not after three more tries a second apart.
  retries 0
  option httpchk OPTIONS /primary
  default-server inter 1s fastinter 300ms downinter 500ms fall 3 rise 1
  # Connections of an API node live as long as it does.
  timeout server 1h
  timeout tunnel 1h
${membersAs('on-marked-down shutdown-sessions')}

backend replicas
  mode tcp
  retries 0
  option httpchk OPTIONS /replica
  default-server inter 1s fastinter 300ms downinter 500ms fall 3 rise 1
  timeout server 1h
  timeout tunnel 1h
${membersAs('')}
`,
  )
  const child = startChild({
    log: `${folder}/haproxy.log`,
    command: ['haproxy', '-db', '-f', file],
    cwd: folder,
  })

  async function isUp(backend: string, server: string): Promise<boolean> {
    const lines = (await ask(socket, 'show stat').catch(() => '')).split('\n').map((line) => line.split(','))
    const status = lines[0]?.indexOf('status') ?? -1
    return lines.some((line) => line[0] === backend && line[1] === server && line[status] === 'UP')
  }

  await until('HAProxy', async () => {
    if (!child.isRunning()) throw new Error(`HAProxy ended: ${child.output()}`)
    return (await ask(socket, 'show info').catch(() => '')) !== ''
  })

  return {
    isUp,
    sees: (backend) => until(`HAProxy sees ${backend}`, () => isUp(backend, 'BACKEND')),
    [Symbol.asyncDispose]: () => child.end('SIGKILL'),
  }
}

async function ask(socket: string, command: string): Promise<string> {
  const connection = createConnection(socket)
  connection.write(`${command}\n`)
  return text(connection)
}
