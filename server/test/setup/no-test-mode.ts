/** Nodes run in the process of their tests, and must not notice: Better Auth checks no origins in a test environment. */
for (const name of ['NODE_ENV', 'TEST']) delete process.env[name]
