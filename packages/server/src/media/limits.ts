/** The numbers of the interface that this domain holds, each with the sentence that it comes from. */

/** How long a task can be queried. “Only tasks of the last 10 days can be queried.” */
export const TASK_QUERY_SECONDS = 10 * 86_400;
