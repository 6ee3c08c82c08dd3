/** What the addresses of tasks say besides the path. */
export const STATES = ['waiting', 'processing', 'done', 'failed'] as const;
export type TaskState = (typeof STATES)[number];

export const VIEWS = ['timeline', 'table', 'json'] as const;
export type TaskView = (typeof VIEWS)[number];

export interface TasksSearch {
  readonly state?: TaskState | undefined;
  readonly pipeline?: string | undefined;
  readonly bucket?: string | undefined;
  readonly key?: string | undefined;
}

export interface TaskSearch {
  readonly item?: number | undefined;
  readonly view?: TaskView | undefined;
}
