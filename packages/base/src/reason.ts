/** Why something failed, in words for operators. If connections to both addresses of a name fail, they fail as one error whose message says nothing. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${reasonOf(error.cause)})`;
  return `${error.message === '' ? error.name : error.message}${cause}`;
}
