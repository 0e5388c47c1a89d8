/** The loopback RDAP server as a process of its own, so that its work is not counted as the client's. */
import { openRdapServer } from '../server/test/internet/rdap-server.ts'
import { readInternet } from '../server/test/internet/read-internet.ts'

const internet = readInternet()
const server = await openRdapServer({ isRegistered: (domain) => internet.isDelegated(domain) })
console.log(JSON.stringify({ base: server.base, ca: server.ca }))
process.once('SIGTERM', () => void server[Symbol.asyncDispose]().then(() => process.exit(0)))
