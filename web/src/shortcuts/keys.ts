/** Which press is which key. Pure. */
type Press = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'repeat'
>

export function isPress(key: string, press: Press): boolean {
  if (press.ctrlKey || press.metaKey || press.altKey || press.isComposing || press.repeat) return false
  const isLetter = /^[a-z]$/.test(key)
  // Signs such as ? need the shift key on many keyboards; letters do not.
  if (isLetter && press.shiftKey) return false
  if (press.key.toLowerCase() === key) return true
  // On a keyboard of another script the key at the same place.
  return isLetter && !/^[a-z]$/i.test(press.key) && press.code === `Key${key.toUpperCase()}`
}
