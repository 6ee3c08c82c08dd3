/** Live: namespaces, their contents, and how recordings and snapshots are kept. */
import type { Caller, CallOptions } from '../caller.ts';
import { pathOf } from '../paths.ts';
import type { NamespaceFields, NamespaceRecord, TemplateFields, TemplateRecord } from '../records.ts';
import { type FieldChanges, LiveCalls } from './calls.ts';
import { Devices } from './devices.ts';
import { Streams } from './streams.ts';

const NAMESPACES = '/v1/namespaces';
const TEMPLATES = '/v1/templates';

const namespacePath = (id: string) => pathOf`/v1/namespaces/${id}`;
const templatePath = (id: string) => pathOf`/v1/templates/${id}`;

export class Live {
  readonly #caller: Caller;
  readonly #calls: LiveCalls;

  constructor(caller: Caller) {
    this.#caller = caller;
    this.#calls = new LiveCalls(caller);
  }

  /** Calls on one namespace, by its id. */
  streams(namespaceId: string): Streams {
    return new Streams(this.#caller, namespaceId);
  }

  /** Calls on one namespace, by its id. */
  devices(namespaceId: string): Devices {
    return new Devices(this.#caller, namespaceId);
  }

  createNamespace(fields: NamespaceFields, options?: CallOptions): Promise<NamespaceRecord> {
    return this.#calls.post(NAMESPACES, fields, options);
  }

  namespaces(options: CallOptions & { prefix?: string } = {}): AsyncGenerator<NamespaceRecord, void> {
    const { prefix, signal } = options;
    return this.#calls.list(NAMESPACES, { prefix }, { signal });
  }

  namespace(id: string, options?: CallOptions): Promise<NamespaceRecord> {
    return this.#calls.get(namespacePath(id), options);
  }

  changeNamespace(
    id: string,
    fields: FieldChanges<NamespaceFields>,
    options?: CallOptions,
  ): Promise<NamespaceRecord> {
    return this.#calls.change(namespacePath(id), fields, options);
  }

  removeNamespace(id: string, options?: CallOptions): Promise<void> {
    return this.#calls.remove(namespacePath(id), options);
  }

  enableNamespace(id: string, options?: CallOptions): Promise<void> {
    return this.#calls.postEmpty(`${namespacePath(id)}/enabled`, options);
  }

  /** Disconnects its publishers and accepts no more. */
  disableNamespace(id: string, options?: CallOptions): Promise<void> {
    return this.#calls.postEmpty(`${namespacePath(id)}/disabled`, options);
  }

  createTemplate(fields: TemplateFields, options?: CallOptions): Promise<TemplateRecord> {
    return this.#calls.post(TEMPLATES, fields, options);
  }

  templates(options?: CallOptions): AsyncGenerator<TemplateRecord, void> {
    return this.#calls.list(TEMPLATES, {}, options);
  }

  template(id: string, options?: CallOptions): Promise<TemplateRecord> {
    return this.#calls.get(templatePath(id), options);
  }

  changeTemplate(
    id: string,
    fields: FieldChanges<Omit<TemplateFields, 'templateType'>>,
    options?: CallOptions,
  ): Promise<TemplateRecord> {
    return this.#calls.change(templatePath(id), fields, options);
  }

  removeTemplate(id: string, options?: CallOptions): Promise<void> {
    return this.#calls.remove(templatePath(id), options);
  }
}
