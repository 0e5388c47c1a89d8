/** `prepublishOnly` of the server: its sources are TypeScript, which Node does not run from an installed package. */
console.error('The release workflow publishes this package, as JavaScript. To make it here: pnpm release --dry-run')
process.exitCode = 1
