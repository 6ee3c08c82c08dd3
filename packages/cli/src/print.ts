/** One result, for people or (with `--json`) for programs. */
export function print(options: { json?: boolean }, result: object, text: string): void {
  process.stdout.write(`${options.json ? JSON.stringify(result) : text}\n`);
}

/** Shell lines for `eval "$(…)"`. Values are of a safe alphabet: keys and URLs of our own. */
export function exportLines(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `export ${name}='${value}'`)
    .join('\n');
}
