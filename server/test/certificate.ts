/** A certificate authority of the test's own, and a certificate by it for this machine's loopback names. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface Certificate extends AsyncDisposable {
  /** PEM, for the clients. */
  readonly ca: string
  readonly caFile: string
  /** What a node needs to speak HTTPS with it. */
  readonly env: { readonly NAMEWRIGHT_TLS_CERT_FILE: string; readonly NAMEWRIGHT_TLS_KEY_FILE: string }
}

const run = promisify(execFile)
const MAKE = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-noenc', '-days', '2']

/** `hosts`: names of the real internet that a server on loopback plays. */
export async function makeCertificate(hosts: readonly string[] = []): Promise<Certificate> {
  const folder = await mkdtemp(join(tmpdir(), 'namewright-tls-'))
  const [caFile, caKey, certFile, keyFile] = ['ca.pem', 'ca.key', 'cert.pem', 'cert.key'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  const openssl = (out: string, key: string, subject: string, extensions: string[], more: string[] = []) =>
    run('openssl', [
      ...MAKE,
      ...more,
      ...extensions.flatMap((extension) => ['-addext', extension]),
      '-out',
      out,
      '-keyout',
      key,
      '-subj',
      `/CN=${subject}`,
    ])
  await openssl(caFile, caKey, 'Test authority', ['keyUsage=critical,keyCertSign'])
  const names = ['DNS:localhost', 'IP:127.0.0.1', ...hosts.map((host) => `DNS:${host}`)]
  const isLeaf = ['basicConstraints=critical,CA:FALSE', `subjectAltName=${names.join(',')}`]
  await openssl(certFile, keyFile, 'localhost', isLeaf, ['-CA', caFile, '-CAkey', caKey])
  return {
    ca: await readFile(caFile, 'utf8'),
    caFile,
    env: { NAMEWRIGHT_TLS_CERT_FILE: certFile, NAMEWRIGHT_TLS_KEY_FILE: keyFile },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  }
}
