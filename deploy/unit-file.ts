/** The subset of systemd's unit files that ours use: sections are skipped, settings may be repeated. */
export interface UnitFile {
  values(name: string): readonly string[];
}

export function parseUnit(text: string): UnitFile {
  const settings = text
    .split('\n')
    .filter((line) => /^[A-Za-z]+=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const);
  return { values: (name) => settings.filter(([each]) => each === name).map(([, value]) => value) };
}
