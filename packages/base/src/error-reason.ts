/** Why something failed, in words for operators. If connections to both addresses of a name fail, they fail as one error whose message says nothing. */
export function errorReason(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(errorReason).join(', ');
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` (${errorReason(error.cause)})`;
  return `${error.message === '' ? error.name : error.message}${cause}`;
}
