/** What a release would refuse about a checkout. A dry run says it, and goes on. */
import { sectionOf, unreleasedIn } from './notes.ts';

export interface Checkout {
  readonly version: string;
  readonly changelog: string;
  /** As `git status --porcelain` has it, of files that nobody added too; empty if it is clean. */
  readonly changed: string;
  readonly hasTag: boolean;
  /** The Node that runs this, and the one that the lock file has: what it makes of TypeScript is in the packages. */
  readonly node: string;
  readonly pinnedNode: string;
}

const IN_DEVELOPMENT = /-dev$/;

export function refusals({ version, changelog, ...checkout }: Checkout): string[] {
  const { changed, hasTag, node, pinnedNode } = checkout;
  const unreleased = unreleasedIn(changelog);
  const own = sectionOf(changelog, version);
  return [
    changed !== '' && `not committed:\n${changed}`,
    hasTag && `v${version} is a tag already`,
    IN_DEVELOPMENT.test(version) &&
      `${version} is a version in development: npm run release -- --set-version ${version.replace(IN_DEVELOPMENT, '')}`,
    own === undefined &&
      `CHANGELOG.md has no section "## [${version}] - <date>": write it, from what is under [Unreleased]`,
    unreleased !== '' && `CHANGELOG.md has changes under [Unreleased]: move them to [${version}]`,
    node !== pinnedNode && `Node ${node} runs this, and not ${pinnedNode}, the project's own`,
  ].filter((each) => each !== false);
}

/** Another text for a version that is out: not even a dry run makes other bytes of a name that somebody has. */
export function assertNotReleased(changelog: string, version: string): void {
  if (sectionOf(changelog, version) === undefined || unreleasedIn(changelog) === '') return;
  throw new Error(
    `CHANGELOG.md says that ${version} is released, and has changes under [Unreleased]: give them the next version, npm run release -- --set-version <next>-dev`,
  );
}
