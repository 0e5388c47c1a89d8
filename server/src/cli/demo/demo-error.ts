/** Why the demo cannot run, in a sentence for the person at the terminal. */
export class DemoError extends Error {}
