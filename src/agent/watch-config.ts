import { type Stats, statSync } from 'node:fs';
import { ConfigError } from '../platform/config.ts';
import type { Log } from '../platform/log.ts';
import type { AgentConfig } from './agent-config.ts';
import type { AnyCredential } from './agent-credential.ts';

/** Time between checks. Secrets that are mounted in containers change a minute after their source. */
const checkMs = 5_000;

type WatchedConfig = Pick<AgentConfig, 'credentials' | 'files'>;

/**
 * Rereads the credentials after a change to the configuration file or to a file that it refers to. A file
 * that is still being written can already be valid, so the files must first stay the same for one check. If
 * the new content is invalid or can't be read, the credentials are kept, and the problem is logged once.
 *
 * @param first The configuration that was read at the start.
 * @param read Reads the configuration again. Throws a ConfigError if it's invalid.
 * @param onChange Receives the new credentials. Unchanged credentials are the same objects as before.
 * @returns A function that stops watching.
 */
export function watchConfig(
  first: WatchedConfig,
  {
    read,
    onChange,
    log,
  }: { read: () => WatchedConfig; onChange: (credentials: readonly AnyCredential[]) => void; log: Log },
): () => void {
  let current = first;
  let state = stateOf(first.files);
  let seen = state;
  let hasFailed = false;

  function check(): void {
    const found = stateOf(current.files);
    const isStable = found === seen;
    seen = found;
    if (found === state || !isStable) return;
    let next: WatchedConfig;
    let nextState: string;
    try {
      // Read twice: the first result lists the files whose state is compared before and after the second read.
      const { files } = read();
      nextState = stateOf(files);
      next = read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      if (stateOf(current.files) !== found) return;
      state = found;
      log.error(`The changed configuration is invalid, so the earlier credentials stay: ${error.message}`);
      return;
    }
    if (stateOf(current.files) !== found || stateOf(next.files) !== nextState) return;
    const credentials = keepUnchanged(current.credentials, next.credentials);
    current = { credentials, files: next.files };
    state = nextState;
    seen = nextState;
    hasFailed = false;
    log.info({ credentials: credentials.map(({ name }) => name) }, 'credentials read again');
    onChange(credentials);
  }

  const timer = setInterval(() => {
    try {
      check();
    } catch {
      // Don't log the error, because its message can contain a secret. The next check retries.
      if (!hasFailed) log.error("The changed configuration can't be read, so the earlier credentials stay.");
      hasFailed = true;
    }
  }, checkMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Identifies the content of files. Links are followed, because mounted secrets are links to a directory. */
function stateOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const found = statOf(file);
      return found ? [found.ino, found.size, found.mtimeMs, found.ctimeMs].join(' ') : 'missing';
    })
    .join('\n');
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch {
    // A directory of the path can't be read. The problem is reported when the file is read.
    return undefined;
  }
}

function keepUnchanged(before: readonly AnyCredential[], next: readonly AnyCredential[]): AnyCredential[] {
  const known = new Map(before.map((credential) => [JSON.stringify(credential), credential]));
  return next.map((credential) => known.get(JSON.stringify(credential)) ?? credential);
}

/** Creates a list of credentials that can be replaced while an agent runs. Each task looks up its credential. */
export function createLiveCredentials(first: readonly AnyCredential[]): {
  credentials: readonly AnyCredential[];
  replace(next: readonly AnyCredential[]): void;
} {
  const credentials = [...first];
  return { credentials, replace: (next) => void credentials.splice(0, credentials.length, ...next) };
}
