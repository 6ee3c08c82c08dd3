/** Times as most of the interface writes them. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
