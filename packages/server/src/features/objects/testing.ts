/** For tests of other features: objects piece by piece, on a database of the test. */
export { Objects } from './service.ts';
export { ObjectStore } from './store.ts';
export { Collector } from './upkeep/collector.ts';
export { TrashStore } from './upkeep/trash-store.ts';
