/** A pattern of LIKE that everything with this prefix fits. */
export function likePrefix(prefix: string): string {
  return `${prefix.replaceAll(/[\\%_]/g, '\\$&')}%`;
}
