/**
 * Where a process stands: on loopback with everybody, or in a network namespace of its own, whose cable can be cut.
 *
 * Inside such a namespace 127.0.0.1 leads to the host, so that every address means the same thing on both sides and
 * what runs there needs no other settings: the namespace sends what is for 127.0.0.1 over the cable, and the host hands
 * it to its own loopback. The cable is a pair of `veth`. It is cut by dropping packets to and from the ports of one
 * server, as a broken network does: no answer and no refusal. One direction is enough for a connection that hangs.
 *
 * Needs root, `ip` and `iptables`.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { leaveUndo } from '../cluster/sweeper.ts'

const run = promisify(execFile)

export interface Place extends AsyncDisposable {
  /** Where others reach what listens here. */
  readonly host: string
  /** What a command line begins with, so that it runs here. */
  readonly before: readonly string[]
  /** Packets of these servers' ports are dropped on their way in, out, or both. */
  cut(ports: readonly number[], way: 'in' | 'out' | 'both'): Promise<void>
  heal(): Promise<void>
}

export async function openPlace({ isApart, folder }: { isApart: boolean; folder: string }): Promise<Place> {
  return isApart ? openNamespace(folder) : LOOPBACK
}

const LOOPBACK: Place = {
  host: '127.0.0.1',
  before: [],
  cut: () => Promise.reject(new Error('what stands on loopback cannot be cut off')),
  heal: async () => {},
  [Symbol.asyncDispose]: async () => {},
}

async function openNamespace(folder: string): Promise<Place> {
  const name = `nw${randomBytes(4).toString('hex')}`
  const [ours, theirs] = [`${name}h`, `${name}p`]
  // Of the range for tests between networks (RFC 2544), two addresses that nobody on this machine has.
  const net = await freeNet()
  const [gateway, host] = [`${net}.1`, `${net}.2`]
  const toLoopback = ['PREROUTING', '-i', ours, '-d', gateway, '-j', 'DNAT', '--to-destination', '127.0.0.1']
  // A resolver answers only who asks from loopback.
  const asLoopback = ['INPUT', '-i', ours, '-p', 'udp', '-j', 'SNAT', '--to-source', '127.0.0.1']
  const inside = (...command: string[]) => run('ip', ['netns', 'exec', name, ...command])
  const close = async () => {
    // The cable goes with the namespace, once nobody is inside.
    await run('ip', ['netns', 'del', name]).catch(() => {})
    await run('ip', ['link', 'del', ours]).catch(() => {})
    for (const rule of [toLoopback, asLoopback]) {
      await run('iptables', ['-w', '-t', 'nat', '-D', ...rule]).catch(() => {})
    }
  }
  for (const rule of [toLoopback, asLoopback]) leaveUndo(folder, `iptables -w -t nat -D ${rule.join(' ')}`)
  leaveUndo(folder, `ip link del ${ours}`)
  leaveUndo(folder, `ip netns del ${name}`)

  try {
    await run('ip', ['netns', 'add', name])
    await run('ip', ['link', 'add', ours, 'type', 'veth', 'peer', 'name', theirs, 'netns', name])
    await run('ip', ['addr', 'add', `${gateway}/30`, 'dev', ours])
    await run('ip', ['link', 'set', ours, 'up'])
    await run('ip', ['-n', name, 'addr', 'add', `${host}/30`, 'dev', theirs])
    await run('ip', ['-n', name, 'link', 'set', theirs, 'up'])
    await run('ip', ['-n', name, 'link', 'set', 'lo', 'up'])
    await run('sh', ['-c', `echo 1 >/proc/sys/net/ipv4/conf/${ours}/route_localnet`])
    for (const rule of [toLoopback, asLoopback]) await run('iptables', ['-w', '-t', 'nat', '-A', ...rule])
    await inside('sh', '-c', 'echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet')
    const toHost = ['OUTPUT', '-d', '127.0.0.1', '-j', 'DNAT', '--to-destination', gateway]
    await inside('iptables', '-w', '-t', 'nat', '-A', ...toHost)
    await inside('iptables', '-w', '-t', 'nat', '-A', 'POSTROUTING', '-o', theirs, '-j', 'SNAT', '--to-source', host)
  } catch (error) {
    await close()
    throw error
  }

  return {
    host,
    before: ['ip', 'netns', 'exec', name],
    async cut(ports, way) {
      const chains = { in: ['INPUT'], out: ['OUTPUT'], both: ['INPUT', 'OUTPUT'] }[way]
      const match = ['-p', 'tcp', '-m', 'multiport', '--ports', ports.join(','), '-j', 'DROP']
      for (const chain of chains) await inside('iptables', '-w', '-A', chain, ...match)
    },
    async heal() {
      await inside('iptables', '-w', '-F', 'INPUT')
      await inside('iptables', '-w', '-F', 'OUTPUT')
    },
    [Symbol.asyncDispose]: close,
  }
}

async function freeNet(): Promise<string> {
  const { stdout } = await run('ip', ['-o', '-4', 'addr'])
  for (;;) {
    const [byte = 0] = randomBytes(1)
    const net = `198.18.${byte}`
    if (!stdout.includes(` ${net}.`)) return net
  }
}
