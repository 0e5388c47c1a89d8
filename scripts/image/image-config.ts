/** An image as it is built, checked and run; the fields are those of its configuration in the registry. */
/** As much of an image as can be run. */
export interface Runnable {
  /** Where its root file system is mounted. */
  readonly root: string
  readonly config: Pick<ImageConfig, 'User' | 'Env' | 'Entrypoint' | 'Volumes' | 'Healthcheck'>
}

export interface Image extends Runnable {
  readonly config: ImageConfig
  readonly id: string
  readonly megabytes: number
}

export interface ImageConfig {
  readonly User: string
  readonly Env: readonly string[]
  readonly Entrypoint: readonly string[]
  readonly Volumes: Readonly<Record<string, object>>
  readonly Labels: Readonly<Record<string, string>>
  readonly Healthcheck: { readonly Test: readonly string[] }
}
