/** `host:port`, including a default port that the URL omits: the form in which an operator names a server. */
export function placeOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`
}
