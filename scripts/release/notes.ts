/** What a release's notes say: its section of the changelog. */

interface Section {
  readonly version: string;
  /** Of the day it was released; `Unreleased` has none. */
  readonly date: string | undefined;
  readonly text: string;
}

export function sectionsOf(changelog: string): readonly Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((text) => {
      const [, version, date] = /^\[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?\n/.exec(text) ?? [];
      if (version === undefined) return [];
      return [{ version, date, text: text.slice(text.indexOf('\n') + 1).trim() }];
    });
}

/** For a dry run, what is not released yet counts as the version's. */
export function notesOf(changelog: string, version: string, isDryRun: boolean): string {
  const sections = sectionsOf(changelog);
  const unreleased = sections.find((section) => section.version === 'Unreleased');
  const own = sections.find((section) => section.version === version && section.date !== undefined);
  if (isDryRun && unreleased !== undefined && unreleased.text !== '')
    return `# Millpond ${version}, not released\n\n${unreleased.text}\n`;
  if (own === undefined)
    throw new Error(
      `CHANGELOG.md has no section "## [${version}] - <date>": write it, from what is under [Unreleased]`,
    );
  if (!isDryRun && unreleased !== undefined && unreleased.text !== '')
    throw new Error(
      `CHANGELOG.md has changes under [Unreleased]: move them to [${version}] or, if that is released, to the next one and set it by --set-version`,
    );
  return `# Millpond ${version}, ${own.date}\n\n${own.text}\n`;
}
