/** Finds the server's configuration: `--config`, `MILLPOND_CONFIG`, `./millpond.env`, or that of the local engines. */
import { existsSync } from 'node:fs';
import { type Config, type Environment, environmentWithFile, readConfig } from '@millpond/server/config';

export interface ConfigOptions {
  readonly config?: string;
}

const CONFIG_PATHS = ['millpond.env', '.engines/millpond.env'];

export function configFile(options: ConfigOptions): string | undefined {
  return options.config ?? process.env.MILLPOND_CONFIG ?? CONFIG_PATHS.find((place) => existsSync(place));
}

/** Whether this machine's configuration says where the database is. */
export function hasDatabase(options: ConfigOptions): boolean {
  return environment(options).MILLPOND_REGION_DB !== undefined;
}

function environment(options: ConfigOptions): Environment {
  return environmentWithFile(process.env, configFile(options));
}

export function loadConfig(options: ConfigOptions): Config {
  return readConfig(environment(options));
}
