/** The name of a rule among the endpoints of events. */
export function endpointOf(bucket: string, rule: string): string {
  return `bucket ${bucket}/${rule}`;
}
