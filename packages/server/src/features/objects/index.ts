/** Objects: records, commits, and the removal of bytes that no record names. */
export { ClosedAccounts } from './closed-accounts.ts';
export { Collector } from './collector.ts';
export { BucketDrops } from './drop.ts';
export { dropRoutes } from './drop-routes.ts';
export { EmptyingStore } from './emptying-store.ts';
export { Expiry } from './expiry.ts';
export { ExpiryStore } from './expiry-store.ts';
export { firstAfterPrefix, Lists } from './list.ts';
export { ListStore } from './list-store.ts';
export { Merger, type RequestMerge } from './merge.ts';
export { MergeStore } from './merge-store.ts';
export { objectRoutes } from './routes.ts';
export { type AlsoCommit, type Committed, Objects } from './service.ts';
export { type ObjectRow, ObjectStore } from './store.ts';
export { TrashStore } from './trash-store.ts';
