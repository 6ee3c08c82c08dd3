/** SQL of how busy a database is. */
import { type Database, statement } from '../../platform/db/database.ts';

export interface Connections {
  readonly used: number;
  /** Connection limit of the whole database server. */
  readonly most: number;
}

const read = statement(
  'health-connections',
  `SELECT (SELECT sum(numbackends) FROM pg_stat_database)::integer AS used,
     current_setting('max_connections')::integer AS most`,
);

export class ConnectionStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(): Promise<Connections> {
    const [row] = await this.#database.query<Connections>(read, []);
    return row ?? { used: 0, most: 0 };
  }
}
