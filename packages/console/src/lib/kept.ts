/** What a screen keeps with its place in the browser's history: there again after a reload and when one comes back. */
const NAME = 'millpond';

/** Not by the router's own way: nothing of what it shows depends on it, and it would be asked at every step of a scroll bar. */
export function saveHistoryState(values: Readonly<Record<string, unknown>>): void {
  const state = (history.state ?? {}) as Record<string, unknown>;
  const kept = { ...(state[NAME] as object | undefined), ...values };
  History.prototype.replaceState.call(history, { ...state, [NAME]: kept }, '');
}

export function readHistoryState(): Readonly<Record<string, unknown>> {
  const kept = (history.state as Record<string, unknown> | null)?.[NAME];
  return typeof kept === 'object' && kept !== null ? (kept as Record<string, unknown>) : {};
}
