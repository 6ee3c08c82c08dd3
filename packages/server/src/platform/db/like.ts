/** A LIKE pattern that matches everything with this prefix. */
export function likePrefix(prefix: string): string {
  return `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
