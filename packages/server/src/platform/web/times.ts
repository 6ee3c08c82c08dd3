/** Times in the forms that the interface uses. */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000);
}

const ISO_8601 = /^\d{4}-\d{2}-\d{2}(T[\d:.]{5,12}(Z|[+-]\d{2}:\d{2}))?$/;

/** ISO 8601 or unix seconds; undefined if it is neither. */
export function timeOf(text: string): Date | undefined {
  const time = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(ISO_8601.test(text) ? text : '');
  return Number.isNaN(time) ? undefined : new Date(time);
}
