/** Times in the form that most of the interface uses. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}
