/** For tests of other features: the parts of the objects feature, on the test's own database. */
export { ArchiveStore } from './operations/archive-store.ts';
export { BulkStore } from './operations/bulk-store.ts';
export { PageOperations } from './operations/page.ts';
export { RelocateStore } from './operations/relocate-store.ts';
export { Objects } from './service.ts';
export { ObjectStore } from './store.ts';
export { Collector } from './upkeep/collector.ts';
export { EmptyingStore } from './upkeep/emptying-store.ts';
export { ExpiryStore } from './upkeep/expiry-store.ts';
export { TransitionStore } from './upkeep/transition-store.ts';
export { TrashStore } from './upkeep/trash-store.ts';
export { UndeleteStore } from './upkeep/undelete-store.ts';
