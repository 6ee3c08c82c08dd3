/** The origin of an endpoint's address. */
export function originOf(address: string): string {
  return URL.parse(address)?.origin ?? address;
}
