/**
 * The rules of `server.json`, by which registries of the Model Context Protocol list this project.
 *
 * They are those of schema 2025-12-11 (https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json) and
 * of the official registry (modelcontextprotocol/registry, docs/reference/server-json), as far as our file uses them. A
 * field that is not listed here is a problem: extend the rules together with the file.
 */
export interface ServerJson {
  readonly $schema?: unknown
  readonly name?: unknown
  readonly title?: unknown
  readonly description?: unknown
  readonly version?: unknown
  readonly websiteUrl?: unknown
  readonly repository?: { readonly url?: unknown; readonly source?: unknown }
  readonly packages?: readonly ServerPackage[]
}

interface ServerPackage {
  readonly registryType?: unknown
  readonly registryBaseUrl?: unknown
  readonly identifier?: unknown
  readonly version?: unknown
  readonly runtimeHint?: unknown
  readonly transport?: { readonly type?: unknown }
  readonly packageArguments?: readonly { readonly type?: unknown; readonly value?: unknown }[]
  readonly environmentVariables?: readonly Variable[]
}

interface Variable {
  readonly name?: unknown
  readonly description?: unknown
  readonly format?: unknown
  readonly isRequired?: unknown
  readonly isSecret?: unknown
  readonly placeholder?: unknown
}

/** The package that the file points to. The registry proves its owner by `mcpName`. */
export interface NpmManifest {
  readonly name: string
  readonly mcpName?: string
}

const SCHEMA = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'
const NAME = /^(?=.{3,200}$)[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/
// Ranges and `latest` are refused.
const VERSION = /^\d+\.\d+\.\d+(?:-[\da-z.]+)?$/
const FIELDS = {
  file: ['$schema', 'name', 'title', 'description', 'version', 'websiteUrl', 'repository', 'packages'],
  repository: ['url', 'source'],
  package: [
    'registryType',
    'registryBaseUrl',
    'identifier',
    'version',
    'runtimeHint',
    'transport',
    'packageArguments',
    'environmentVariables',
  ],
  transport: ['type'],
  argument: ['type', 'value'],
  variable: ['name', 'description', 'format', 'isRequired', 'isSecret', 'placeholder'],
} as const

/** One line for each broken rule. */
export function findProblems(file: ServerJson, npm: NpmManifest): string[] {
  const { repository = {}, packages = [] } = file
  return [
    ...unknownFields('file', file),
    ...unknownFields('repository', repository),
    ...unless(file.$schema === SCHEMA, `$schema is not ${SCHEMA}`),
    ...unless(isText(file.name, 200) && NAME.test(file.name), 'name is not namespace/name'),
    ...unless(isText(file.title, 100), 'title has not 1 to 100 characters'),
    ...unless(isText(file.description, 100), 'description has not 1 to 100 characters'),
    ...unless(isVersion(file.version), 'version is not one exact version'),
    ...unless(isHttps(file.websiteUrl), 'websiteUrl is not an https URL'),
    ...unless(isHttps(repository.url), 'repository.url is not an https URL'),
    ...unless(repository.source === 'github', 'repository.source is not github'),
    ...unless(packages.length > 0, 'there is no package'),
    ...unless(npm.mcpName === file.name, 'mcpName of the npm package is not the name'),
    ...packages.flatMap((one) => packageProblems(one, npm)),
  ]
}

function packageProblems(one: ServerPackage, npm: NpmManifest): string[] {
  const { transport = {}, packageArguments = [], environmentVariables = [] } = one
  return [
    ...unknownFields('package', one),
    ...unknownFields('transport', transport),
    ...unless(one.registryType === 'npm', 'registryType is not npm'),
    ...unless(one.registryBaseUrl === 'https://registry.npmjs.org', 'registryBaseUrl is not that of npm'),
    ...unless(one.identifier === npm.name, 'identifier is not the npm package'),
    ...unless(isVersion(one.version), 'version of the package is not one exact version'),
    ...unless(one.runtimeHint === 'npx', 'runtimeHint is not npx'),
    ...unless(transport.type === 'stdio', 'transport.type is not stdio'),
    ...packageArguments.flatMap((argument) => [
      ...unknownFields('argument', argument),
      ...unless(
        argument.type === 'positional' && isText(argument.value, 100),
        'argument is not positional with a value',
      ),
    ]),
    ...environmentVariables.flatMap(variableProblems),
  ]
}

function variableProblems(variable: Variable): string[] {
  const flags = [variable.isRequired, variable.isSecret]
  return [
    ...unknownFields('variable', variable),
    ...unless(isText(variable.name, 100), 'variable has no name'),
    ...unless(isText(variable.description, 200), 'variable has no description'),
    ...unless(/^(?:string|number|boolean|filepath)$/.test(String(variable.format)), 'format of variable is unknown'),
    ...unless(
      flags.every((flag) => flag === undefined || typeof flag === 'boolean'),
      'a flag of variable is no boolean',
    ),
    ...unless(!/KEY|SECRET|TOKEN/.test(String(variable.name)) || variable.isSecret === true, 'a key is not secret'),
  ]
}

function unknownFields(part: keyof typeof FIELDS, value: object): string[] {
  const known: readonly string[] = FIELDS[part]
  return Object.keys(value).flatMap((field) => unless(known.includes(field), `${part} has the unknown field ${field}`))
}

const unless = (isRight: boolean, problem: string): string[] => (isRight ? [] : [problem])
const isText = (value: unknown, longest: number): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longest
const isVersion = (value: unknown) => typeof value === 'string' && VERSION.test(value)
const isHttps = (value: unknown) =>
  typeof value === 'string' && URL.canParse(value) && new URL(value).protocol === 'https:'
