/** Compares what a customer was told about devices and channels with the truth. */
import type { Findings } from '../report.ts';

export interface ReportedState {
  readonly id: string;
  readonly gbid: string;
  readonly chGbid: string;
  readonly deviceState: string;
}

/** `told` in order of arrival; `expected`: every state that each `gbid/chGbid` had. Returns how many came twice. */
export function checkDevices(
  told: readonly ReportedState[],
  expected: ReadonlyMap<string, readonly string[]>,
  findings: Findings,
): number {
  const histories = new Map<string, string[]>();
  const seen = new Set<string>();
  for (const { id, gbid, chGbid, deviceState } of told) {
    if (seen.has(id)) continue;
    seen.add(id);
    const key = `${gbid}/${chGbid}`;
    const history = histories.get(key);
    if (history === undefined) histories.set(key, [deviceState]);
    else history.push(deviceState);
  }
  for (const [key, states] of expected) {
    const history = histories.get(key) ?? [];
    histories.delete(key);
    const [was, should] = [history.join(' '), states.join(' ')];
    if (was === should) continue;
    const name =
      history.length < states.length ? 'lost' : history.length > states.length ? 'duplicated' : 'wrong';
    findings.add(name, `${key}: reported ${was || 'nothing'}, was ${should}`);
    if (history.at(-1) !== states.at(-1)) findings.add('wrong', `${key}: the last event is wrong`);
  }
  for (const [key, history] of histories)
    findings.add('wrong', `${key}: reported ${history.join(' ')}, never was`);
  return told.length - seen.size;
}
