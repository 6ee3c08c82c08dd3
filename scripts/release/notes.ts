/** What a release's notes say: its section of the changelog. */

interface Section {
  readonly version: string;
  /** The day it was released; `Unreleased` has none. */
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

/** That of a version which has its date. */
export function sectionOf(changelog: string, version: string): Section | undefined {
  return sectionsOf(changelog).find((section) => section.version === version && section.date !== undefined);
}

export function unreleasedIn(changelog: string): string {
  return sectionsOf(changelog).find((section) => section.version === 'Unreleased')?.text ?? '';
}

export interface Source {
  readonly commit: string;
  readonly isChanged: boolean;
}

/** The notes of a version without its section are what is not released yet, and name their commit. */
export function notesOf(changelog: string, version: string, { commit, isChanged }: Source): string {
  const own = sectionOf(changelog, version);
  if (own !== undefined && !isChanged) return `# Millpond ${version}, ${own.date}\n\n${own.text}\n`;
  const but = isChanged ? ', with changes that are not committed' : '';
  return `# Millpond ${version}, not released\n\nOf commit ${commit}${but}.\n\n${own?.text ?? unreleasedIn(changelog)}\n`;
}
