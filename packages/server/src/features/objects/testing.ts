/** For tests of other features: the parts of the objects feature, on the test's own database. */
export { Objects } from './service.ts';
export { ObjectStore } from './store.ts';
export { Collector } from './upkeep/collector.ts';
export { TrashStore } from './upkeep/trash-store.ts';
