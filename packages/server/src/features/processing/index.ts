/** Persistent processing: tasks, what accounts set up for them, and their runs. */

export { parseQueue } from './pipeline-name.ts';
export { Admission, IDLE_TASK_QUEUE, TASK_QUEUE } from './pipelines/admission.ts';
export { PipelineStore } from './pipelines/pipeline-store.ts';
export { Pipelines } from './pipelines/pipelines.ts';
export { createCommandEngine } from './run/commands.ts';
export { ItemRunner } from './run/item-runner.ts';
export { type LocateObject, ObjectSources } from './run/object-sources.ts';
export { Results } from './run/results.ts';
export { Reuse } from './run/reuse.ts';
export { TaskRunner } from './run/runner.ts';
export { Sources } from './run/sources.ts';
export { WorkStore } from './run/work-store.ts';
export { ownTaskRecord, type TaskRow } from './task.ts';
export { Arrivals, type Prepared } from './tasks/arrivals.ts';
export { Ending, type Notify } from './tasks/ending.ts';
export { submitRoutes } from './tasks/submit-routes.ts';
export { TaskDaysStore } from './tasks/task-days-store.ts';
export { taskRoutes } from './tasks/task-routes.ts';
export { type TaskFilter, TaskStore } from './tasks/task-store.ts';
export { type PreparedTask, type TaskRequest, Tasks } from './tasks/tasks.ts';
export { WorkflowStore } from './workflows/workflow-store.ts';
export { Workflows } from './workflows/workflows.ts';
