/** What a template is for. */
export type TemplateKind = 'record' | 'snapshot';
