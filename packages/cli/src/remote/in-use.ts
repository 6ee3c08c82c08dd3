/**
 * The installations that this command asks, so that what is said of a refusal, or of a server that is away, can name them. A
 * command is a process: there are seldom two.
 */

export interface InstallationInUse {
  /** Undefined: that of the environment. */
  readonly alias: string | undefined;
  readonly endpoint: readonly string[];
  /** Nobody named it. */
  readonly isDefaultEndpoint: boolean;
  readonly accessKey: string;
}

const asked = new Map<string | undefined, InstallationInUse>();

export function useInstallation(installation: InstallationInUse): void {
  asked.set(installation.alias, installation);
}

/** The one that was asked; undefined where there were several, because an error doesn't say whose it is. */
export function installationInUse(): InstallationInUse | undefined {
  const [only, ...others] = asked.values();
  return others.length === 0 ? only : undefined;
}

/** Its addresses, or the one of them that has this port. */
export function addressOf({ endpoint }: InstallationInUse, port?: number): string {
  const urls = endpoint.map((part) => part.replace(/^[a-z]+=/, ''));
  const isAt = (text: string) => {
    const url = URL.parse(text);
    return url !== null && Number(url.port || (url.protocol === 'https:' ? 443 : 80)) === port;
  };
  return urls.find(isAt) ?? [...new Set(urls)].join(', ');
}
