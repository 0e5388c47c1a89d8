/** One Redis, without anybody to take its place. */
import { startChild, until } from './child.ts'
import { takePorts } from '../../../ports.ts'
import { askRedis, redisArgs } from './sentinels.ts'
import type { ClusterRedis } from './sentinels.ts'

export async function openSingleRedis(folder: string): Promise<ClusterRedis> {
  const { redis: port } = await takePorts(['redis'])
  const command = ['redis-server', ...redisArgs(port, folder)]
  const startOne = () => startChild({ log: `${folder}/redis-${port}.log`, command, cwd: folder })
  const answers = () => until('Redis answers', () => askRedis(port, 'ping') === 'PONG')
  let child = startOne()
  await answers()
  return {
    url: `redis://127.0.0.1:${port}`,
    ports: [port],
    flush: async () => void askRedis(port, 'flushall'),
    async kill() {
      await child.end('SIGKILL')
      return port
    },
    stall() {
      child.signal('SIGSTOP')
      return port
    },
    resume: () => child.signal('SIGCONT'),
    async restart() {
      if (!child.isRunning()) child = startOne()
      await answers()
    },
    [Symbol.asyncDispose]: () => child.end('SIGKILL'),
  }
}
