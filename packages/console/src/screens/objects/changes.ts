/** Tells open lists that something in a bucket changed: by this page itself, or by work that it watched. */
const watchers = new Set<(bucket: string) => void>();

export function notifyBucketChanged(bucket: string): void {
  for (const watcher of watchers) watcher(bucket);
}

export function onBucketChanged(watcher: (bucket: string) => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
