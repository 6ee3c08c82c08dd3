/** What the audit log is searched for, as its address says it. */
export interface AuditSearch {
  readonly action?: string | undefined;
  readonly actor?: string | undefined;
  readonly target?: string | undefined;
  readonly reqid?: string | undefined;
}
