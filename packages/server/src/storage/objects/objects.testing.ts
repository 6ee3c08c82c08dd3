/** For tests of other features: the parts of the objects feature, on the test's own database. */

export { Objects } from './objects.service.ts';
export { ObjectStore } from './objects.store.ts';
export { ArchiveStore } from './operations/archive.store.ts';
export { BulkStore } from './operations/bulk-operations.store.ts';
export { PageOperations } from './operations/page.ts';
export { RelocateStore } from './operations/relocate.store.ts';
export { Collector } from './upkeep/collector.ts';
export { EmptyingStore } from './upkeep/emptying.store.ts';
export { ExpiryStore } from './upkeep/expiry.store.ts';
export { TransitionStore } from './upkeep/transition.store.ts';
export { TrashStore } from './upkeep/trash-upkeep.store.ts';
export { UndeleteStore } from './upkeep/undelete.store.ts';
