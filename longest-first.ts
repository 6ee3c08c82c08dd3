/**
 * The order of test files: those that take long begin first, so that the last ones to run are short and no core is idle at the
 * end. A clean checkout has no times of an earlier run, and the size of a file says little.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes half a minute and more of a machine with two cores, longest first; then what takes some seconds without engines. */
const SLOWEST_FILES = [
  'packages/protocol/src/s3/sigv4/mutations',
  'scripts/guides/guides',
  'scripts/guides/production',
  'scripts/pack/checkout',
  'packages/jail/src/media/avthumb',
  'packages/cli/src/operator',
  'packages/cli/src/dev/dev',
  'packages/jail/src/media/hostile',
  'packages/blobs/src/s3/faults',
  'packages/jail/src/media/files',
  'packages/server/src/platform/queue/periodic',
  'packages/cli/src/dev/live',
  'packages/blobs/src/conformance-s3',
  'packages/outbound/src/client',
  'packages/blobs/src/conformance-disk',
  'packages/outbound/src/open',
  'packages/blobs/src/disk/store',
  'packages/outbound/src/resolver',
  'packages/blobs/src/s3/read-reuse',
];

export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => rankOf(moduleId) < SLOWEST_FILES.length;
    const first = sorted.filter(isLong).toSorted((a, b) => rankOf(a.moduleId) - rankOf(b.moduleId));
    return [...first, ...sorted.filter((file) => !isLong(file))];
  }
}

function rankOf(file: string): number {
  const subject = file.replace(/(?:\.engines)?\.test\.ts$/, '');
  const rank = SLOWEST_FILES.findIndex((name) => subject.endsWith(`/${name}`));
  return rank < 0 ? SLOWEST_FILES.length : rank;
}
