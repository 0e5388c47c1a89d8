/** `host:port`, the port also where the address leaves it out: how an operator names a server. */
export function placeOf({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === 'http:' ? '80' : '443')}`
}
