/** Persistent processing: tasks, what accounts set up for them, and their runs. */
export { Admission, IDLE_TASK_QUEUE, TASK_QUEUE } from './admission.ts';
export { Arrivals, type Prepared } from './arrivals.ts';
export { createCommandEngine } from './commands.ts';
export { Ending, type Notify } from './ending.ts';
export { ItemRunner } from './item-runner.ts';
export { decoded, type LocateObject, ObjectSources } from './object-sources.ts';
export { PipelineStore } from './pipeline-store.ts';
export { Pipelines } from './pipelines.ts';
export { Results } from './results.ts';
export { TaskRunner } from './runner.ts';
export { Sources } from './sources.ts';
export { submitRoutes } from './submit-routes.ts';
export type { TaskRow } from './task.ts';
export { taskRoutes } from './task-routes.ts';
export { TaskStore } from './task-store.ts';
export { type PreparedTask, type TaskRequest, Tasks } from './tasks.ts';
export { WorkflowStore } from './workflow-store.ts';
export { Workflows } from './workflows.ts';
