/** Persistent processing: tasks, what accounts set up for them, and their runs. */

export { parseQueue } from './pipeline-name.ts';
export type { PipelineView } from './pipelines/pipeline.store.ts';
export { createProcessing, createTasks, type ProcessingFeature, taskQueues } from './processing.create.ts';
export type { LocateObject, ObjectSources } from './run/object-sources.ts';
export type { Results } from './run/results.ts';
export { ownTaskRecord } from './task.ts';
export { commandPermissions } from './tasks/command-permissions.ts';
export type { TaskRequest, Tasks } from './tasks/tasks.ts';
export type { PreparedTasks, UploadTriggers } from './tasks/upload-triggers.ts';
