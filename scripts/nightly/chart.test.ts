/** The chart in deploy/helm/, rendered with value sets that between them take every branch, and checked as objects. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { SETTINGS } from '../../server/test/read-config.ts'
import { versionOf } from '../image/build.ts'
import { renderChart } from '../deploy/chart.ts'
import type { KubernetesObject, Release } from '../deploy/chart.ts'

const CHART = new URL('../../deploy/helm/namewright', import.meta.url).pathname
const ROOT = new URL('../../', import.meta.url)

const SETS: Record<string, Release> = {
  'with a PostgreSQL and Redis of your own': { values: { existingSecret: 'mine' } },
  'with everything bundled': {
    name: 'try',
    values: { postgresql: { bundled: true }, valkey: { bundled: true }, networkPolicy: { egress: [] } },
  },
  'with everything switched on': {
    name: 'a-release-with-a-name-as-long-as-helm-lets-one-be-12',
    values: {
      existingSecret: 'mine',
      ownerSecret: 'owner',
      image: {
        repository: 'registry.example/namewright',
        digest: `sha256:${'a'.repeat(64)}`,
        pullSecrets: [{ name: 'pull' }],
      },
      settings: { NAMEWRIGHT_PUBLIC_URL: 'https://names.example.com', NAMEWRIGHT_NODES: 7 },
      server: { autoscaling: { enabled: true }, persistence: { storageClass: 'fast' } },
      worker: { autoscaling: { enabled: true, queue: { enabled: true } } },
      ingress: {
        enabled: true,
        host: 'names.example.com',
        tlsSecret: 'tls',
        className: 'nginx',
        annotations: { a: 'b' },
      },
      valkey: { bundled: true },
      networkPolicy: { from: [{ namespaceSelector: { matchLabels: { a: 'b' } } }] },
      metrics: { serviceMonitor: { enabled: true, labels: { release: 'p' } }, prometheusRule: { enabled: true } },
      tolerations: [{ key: 'a', operator: 'Exists' }],
      nodeSelector: { disk: 'fast' },
      podAnnotations: { a: 'b' },
      affinity: { nodeAffinity: {} },
      service: { annotations: { a: 'b' } },
    },
  },
  'with everything switched off': {
    name: 'small',
    values: {
      existingSecret: 'mine',
      worker: { enabled: false },
      server: { replicas: 1, persistence: { enabled: false } },
      networkPolicy: { enabled: false },
      migration: { job: false },
      serviceAccount: { create: false },
    },
  },
}

const sets = Object.entries(SETS).map(([name, release]) => ({ name, ...renderChart(CHART, release) }))
const podOf = (object: KubernetesObject) => object.spec?.template
const workloads = (objects: readonly KubernetesObject[]) => objects.filter((one) => podOf(one) !== undefined)
const ours = (object: KubernetesObject) => /server|worker|migration/.test(podOf(object).spec.containers[0].name)
const carries = (labels: Record<string, string>, wanted: Record<string, string>) =>
  Object.entries(wanted).every(([key, value]) => labels[key] === value)
const find = (objects: readonly KubernetesObject[], kind: string, name: string) =>
  objects.find((one) => one.kind === kind && one.metadata.name === name)

describe.for(sets)('the chart $name', ({ objects, values }) => {
  test('is accepted by the schema of its values', async () => {
    const { Compile } = (await import(
      createRequire(`${ROOT.pathname}server/package.json`).resolve('typebox/schema')
    )) as {
      Compile: (schema: object) => { Errors: (value: unknown) => [boolean, unknown[]] }
    }
    const schema = JSON.parse(readFileSync(`${CHART}/values.schema.json`, 'utf8')) as object
    expect(Compile(schema).Errors(values)).toEqual([true, []])
    expect(Compile(schema).Errors({ ...values, misspelt: 1 })[0]).toBe(false)
  })

  test('has objects that each have a version, a kind and a name of their own that fits', () => {
    const names = objects.map((one) => `${one.kind}/${one.metadata.name}`)
    expect(new Set(names).size).toBe(names.length)
    for (const one of objects) {
      expect(one.apiVersion, one.metadata.name).toMatch(/^(?:[a-z.0-9]+\/)?v\d$/)
      expect(one.metadata.name).toMatch(/^[a-z](?:[-a-z0-9]{0,50}[a-z0-9])?$/)
      for (const value of Object.values<string>(one.metadata.labels)) expect(value.length).toBeLessThanOrEqual(63)
    }
  })

  test('has selectors that find the pods they are for, and only one kind of them', () => {
    const pods = workloads(objects).map((one) => ({ name: one.metadata.name, labels: podOf(one).metadata.labels }))
    for (const one of workloads(objects).filter(({ kind }) => kind !== 'Job')) {
      const found = pods.filter(({ labels }) => carries(labels, one.spec.selector.matchLabels))
      expect(found.map(({ name }) => name)).toEqual([one.metadata.name])
    }
    for (const one of objects.filter(({ kind, spec }) => kind === 'Service' && spec.selector !== undefined)) {
      const found = workloads(objects).filter((each) => carries(podOf(each).metadata.labels, one.spec.selector))
      expect(found, one.metadata.name).toHaveLength(1)
      const ports = podOf(found[0]).spec.containers[0].ports.map((port: { name: string }) => port.name)
      for (const port of one.spec.ports) expect(ports).toContain(port.targetPort)
    }
    for (const one of objects.filter(({ kind }) => kind === 'PodDisruptionBudget')) {
      expect(pods.filter(({ labels }) => carries(labels, one.spec.selector.matchLabels))).toHaveLength(1)
    }
    for (const one of objects.filter(({ kind }) => kind === 'ServiceMonitor')) {
      const { matchLabels, matchExpressions } = one.spec.selector
      const [{ key, values: parts }] = matchExpressions
      const services = objects.filter(
        ({ kind, metadata }) =>
          kind === 'Service' && carries(metadata.labels, matchLabels) && parts.includes(metadata.labels[key]),
      )
      expect(services).toHaveLength(2)
      for (const { spec } of services) expect(spec.ports.map(nameOf)).toContain(one.spec.endpoints[0].port)
    }
  })

  test('has references that lead to something', () => {
    for (const one of objects.filter(({ kind }) => kind === 'HorizontalPodAutoscaler')) {
      const { kind, name } = one.spec.scaleTargetRef
      const target = find(objects, kind, name)
      expect(target.spec.replicas, 'whom an autoscaler scales has no number of its own').toBeUndefined()
      expect(one.spec.minReplicas).toBeLessThanOrEqual(one.spec.maxReplicas)
    }
    for (const one of objects.filter(({ kind }) => kind === 'Ingress')) {
      for (const { backend } of one.spec.rules[0].http.paths) {
        expect(find(objects, 'Service', backend.service.name)).toBeDefined()
      }
      for (const { backend } of one.spec.rules[0].http.paths) expect(backend.service.port).toEqual({ name: 'http' })
    }
    for (const one of objects.filter(({ kind }) => kind === 'StatefulSet')) {
      expect(find(objects, 'Service', one.spec.serviceName)?.spec.clusterIP).toBe('None')
    }
    for (const one of workloads(objects)) {
      const { containers, volumes = [], serviceAccountName = 'default' } = podOf(one).spec
      const claims = one.spec.volumeClaimTemplates ?? []
      const there = [...volumes.map(nameOf), ...claims.map((claim: KubernetesObject) => claim.metadata.name)]
      expect(new Set(there)).toEqual(new Set((containers[0].volumeMounts ?? []).map(nameOf)))
      if (serviceAccountName !== 'default') expect(find(objects, 'ServiceAccount', serviceAccountName)).toBeDefined()
      const text = JSON.stringify(podOf(one))
      for (const [, name = ''] of text.matchAll(/"(?:secretName|configMapRef":\{"name)":"([^"]+)"/g)) {
        expect(find(objects, 'Secret', name) ?? find(objects, 'ConfigMap', name), name).toBeDefined()
      }
      for (const { valueFrom } of (containers[0].env ?? []) as KubernetesObject[]) {
        if (valueFrom === undefined) continue
        const { name, key } = valueFrom.secretKeyRef
        expect(find(objects, 'Secret', name).stringData).toHaveProperty([key])
      }
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
        const port = containers[0][probe]?.httpGet?.port ?? containers[0][probe]?.tcpSocket?.port
        if (port !== undefined) expect(containers[0].ports.map(nameOf)).toContain(port)
      }
    }
  })

  test('runs everything without root, without privileges and on a read-only root', () => {
    for (const one of workloads(objects)) {
      const { spec } = podOf(one)
      expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } })
      expect(spec.automountServiceAccountToken).toBe(false)
      for (const container of spec.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        })
        expect(container.resources.limits.memory).toBeDefined()
      }
    }
  })

  test('keeps the variables of Kubernetes away from a service that refuses settings it does not know', () => {
    for (const one of workloads(objects)) expect(podOf(one).spec.enableServiceLinks).toBe(false)
  })

  test('gives every process the settings that are required, and none that there is not', () => {
    const required = Object.entries(SETTINGS).filter(([, { default: preset }]) => preset === undefined)
    for (const one of workloads(objects).filter(ours)) {
      const { env = [], envFrom } = podOf(one).spec.containers[0]
      const maps = envFrom.flatMap(({ configMapRef }: KubernetesObject) =>
        configMapRef === undefined ? [] : Object.keys(find(objects, 'ConfigMap', configMapRef.name).data),
      )
      const given = [...env.map(nameOf), ...maps] as string[]
      for (const name of given) expect(SETTINGS).toHaveProperty([name])
      const hasSecret = envFrom.some(({ secretRef }: KubernetesObject) => secretRef?.name === 'mine')
      for (const [name] of required) expect(hasSecret || given.includes(name), name).toBe(true)
    }
  })

  test('shows the role that owns the tables to whoever migrates, and to nobody else', () => {
    const knowing = workloads(objects).filter(
      (one) => ours(one) && /OWNER_DATABASE_URL|"name":"owner"/.test(JSON.stringify(podOf(one))),
    )
    for (const one of knowing) expect(one.metadata.name).not.toMatch(/worker/)
    const config = objects.find(({ kind }) => kind === 'ConfigMap').data
    const hasJob = objects.some(({ kind }) => kind === 'Job')
    expect(config.NAMEWRIGHT_MIGRATE).toBe(hasJob ? 'manual' : 'auto')
  })

  test('names only metrics that the manual names', () => {
    const pages = globSync(['docs/operations.md', 'docs/operating/*.md'], { cwd: ROOT.pathname })
    const page = pages.map((path) => readFileSync(new URL(path, ROOT), 'utf8')).join('\n')
    const rules = objects.filter(({ kind }) => kind === 'PrometheusRule')
    for (const [name] of JSON.stringify(rules).matchAll(/namewright_[a-z_]+/g)) {
      expect(page.includes(`\`${name.replace(/_count$/, '')}\``), name).toBe(true)
    }
  })
})

test('between them the value sets take every branch of the chart', () => {
  const kinds = new Set(sets.flatMap(({ objects }) => objects.map(({ kind }) => kind as string)))
  const written = globSync('templates/*.yaml', { cwd: CHART }).flatMap((path) =>
    [...readFileSync(`${CHART}/${path}`, 'utf8').matchAll(/^kind: (\w+)$/gm)].map(([, kind]) => kind),
  )
  expect(kinds).toEqual(new Set(written))
})

test('the chart refuses to be installed without its secrets, and an Ingress without its host', () => {
  expect(() => renderChart(CHART, {})).toThrow(/existingSecret must name a Secret/)
  expect(() => renderChart(CHART, { values: { postgresql: { bundled: true } } })).toThrow(/existingSecret/)
  const values = { existingSecret: 'mine', ingress: { enabled: true } }
  expect(() => renderChart(CHART, { values })).toThrow(/ingress.host must be set/)
})

test('an upgrade keeps the passwords that the installation has made', () => {
  const values = { postgresql: { bundled: true }, valkey: { bundled: true } }
  const made = (found: Record<string, unknown>) =>
    renderChart(CHART, { values, found }).objects.find(({ kind }) => kind === 'Secret').stringData
  const first = made({})
  const kept = Object.fromEntries(
    Object.entries<string>(first).map(([key, value]) => [
      key,
      Buffer.from(value.replaceAll('x', 'y')).toString('base64'),
    ]),
  )
  expect(made({ 'namewright-passwords': { data: kept } })).toEqual(
    Object.fromEntries(
      Object.entries<string>(first).map(([key, value]) => [
        key,
        value.replaceAll(/x{40,}/g, (all) => 'y'.repeat(all.length)),
      ]),
    ),
  )
})

test('a setting of yours wins over the one that follows from other values', () => {
  const { objects } = sets[2] ?? { objects: [] }
  expect(objects.find(({ kind }) => kind === 'ConfigMap').data.NAMEWRIGHT_NODES).toBe('7')
})

test('rules of a file of yours take the place of those of the chart', () => {
  const file = readFileSync(new URL('deploy/observe/alerts.yaml', ROOT), 'utf8')
  const values = { existingSecret: 'mine', metrics: { prometheusRule: { enabled: true, file } } }
  const { objects } = renderChart(CHART, { values })
  expect(objects.find(({ kind }) => kind === 'PrometheusRule').spec).toEqual(parse(file))
})

test('a changed setting is a changed pod', () => {
  const hashOf = (settings: Record<string, string>) =>
    renderChart(CHART, { values: { existingSecret: 'mine', settings } }).objects.find(
      ({ kind }) => kind === 'StatefulSet',
    ).spec.template.metadata.annotations['namewright/settings'] as string
  expect(hashOf({})).toBe(hashOf({}))
  expect(hashOf({ NAMEWRIGHT_RDAP: 'off' })).not.toBe(hashOf({}))
})

test('the chart is of the same version as the service, and keeps answers that wait for PostgreSQL on a disk', () => {
  const chart = readFileSync(`${CHART}/Chart.yaml`, 'utf8')
  expect(chart).toContain(`appVersion: ${versionOf()}\n`)
  const server = find(sets[0]?.objects ?? [], 'StatefulSet', 'namewright')
  expect(server.spec.volumeClaimTemplates[0].metadata.name).toBe('data')
  expect(server.spec.persistentVolumeClaimRetentionPolicy).toEqual({ whenDeleted: 'Retain', whenScaled: 'Retain' })
})

function nameOf({ name }: { readonly name: string }): string {
  return name
}
