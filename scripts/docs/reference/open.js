/** Opens the API reference. A reader's key stays in the memory of the page; nothing is asked of another host. */
import * as exported from './standalone.esm.js'

const Scalar = globalThis.Scalar ?? exported
Scalar.createApiReference('#app', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: { preferredSecurityScheme: 'key' },
  defaultOpenAllTags: true,
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: ['c', 'clojure', 'dart', 'fsharp', 'http', 'objc', 'ocaml', 'powershell', 'r', 'swift'],
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'none',
})
