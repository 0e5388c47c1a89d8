/** The person closed a question instead of answering it: nothing happened, and nothing went wrong. */
export class CalledOff extends Error {}
