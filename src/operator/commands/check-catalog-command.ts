import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import packageJson from '../../../package.json' with { type: 'json' };
import { readEmbeddedAgentConfig } from '../../agent/agent-config.ts';
import { createBodyReading } from '../../agent/body-reading.ts';
import { createRepositoryReader } from '../../agent/git/repository-reader.ts';
import { createAppTokens } from '../../agent/github-app-tokens.ts';
import { createCredentialOpener } from '../../agent/open-credential.ts';
import { createProgramCredentials } from '../../agent/program-credentials.ts';
import { catalog as builtIn } from '../../domain/catalog/catalog.ts';
import type { CatalogEntry } from '../../domain/catalog/catalog-entry.ts';
import { parseContentLimits } from '../../domain/parsers/content-limits.ts';
import type { Config } from '../../platform/config.ts';
import { createLimit } from '../../platform/fairness/index.ts';
import type { Log } from '../../platform/log.ts';
import { openOutbound } from '../../platform/outbound/index.ts';
import { createSandbox } from '../../platform/sandbox/index.ts';
import { createSourceHttp } from '../../sources/source-http.ts';
import { type CheckDeps, checkEntry, type EntryCheck } from '../catalog/check-entry.ts';
import { CommandError, type OperatorCommand, UsageError } from './operator-command.ts';

/** Maximum number of entries checked at the same time. */
const maxChecks = 4;
/** Timeout for one entry. Reading the tags of large repositories takes longest. */
const defaultTimeoutMs = 180_000;

/** @param catalog Entries to check. Tests replace the built-in catalog. */
export function checkCatalogCommand(
  catalog: readonly CatalogEntry[] = builtIn,
  { timeoutMs = defaultTimeoutMs } = {},
): OperatorCommand {
  return {
    name: 'admin check-catalog',
    synopsis: '[--only NAME] [--github-credential NAME]',
    summary: 'Check that every catalog source still works',
    help: `
  --only NAME               Check one catalog entry
  --github-credential NAME  Credential from PACEKEEPER_AGENT_CONFIG to use for GitHub

Doesn't use the database. Prints one line per entry and exits with code 1 if a source fails or no longer has a stable
version. Reads the 100 newest releases of each GitHub list.`,
    positionals: [],
    options: { only: { type: 'string' }, 'github-credential': { type: 'string' } },
    async run({ config, log, option, print }) {
      const only = option('only');
      const entries = only === null ? catalog : catalog.filter(({ name }) => name === only);
      if (entries.length === 0) throw new UsageError(`--only: no catalog entry ${JSON.stringify(only)}.`);
      const { parts, close } = createCheckDeps(config, log);
      const deps = { ...parts, githubCredential: option('github-credential'), timeoutMs };
      let failed = 0;
      try {
        const limit = createLimit(maxChecks);
        const checks = entries.map((entry) => ({ entry, check: limit.run(() => checkEntry(entry, deps)) }));
        for (const { check } of checks) check.catch(() => undefined);
        for (const { entry, check } of checks) {
          const result = await check;
          if (!result.ok) failed += 1;
          print(`${entry.name}: ${describe(result)}`);
        }
      } finally {
        await close();
      }
      if (failed > 0) throw new CommandError(`${failed} of ${entries.length} entries failed.`);
    },
  };
}

function describe(check: EntryCheck): string {
  if (!check.ok) return `failed, ${check.code}: ${check.message}`;
  const { latestStable, releaseCount, isPart } = check;
  const count = `${releaseCount} ${releaseCount === 1 ? 'release' : 'releases'}`;
  return `ok, latest stable ${latestStable}, ${count}${isPart ? ' on the first page' : ''}`;
}

/** Creates the clients that an agent of this installation would use for its requests. */
function createCheckDeps(
  config: Config,
  log: Log,
): { parts: Omit<CheckDeps, 'githubCredential' | 'timeoutMs'>; close(): Promise<void> } {
  const { credentials } = readEmbeddedAgentConfig(config.agentConfigPath, process.env);
  const userAgent = `Pacekeeper/${packageJson.version}`;
  const { client, allowHttp } = openOutbound(config, { userAgent });
  const clock = () => new Date();
  const folder = mkdtempSync(path.join(tmpdir(), 'pacekeeper-check-'));
  const repositories = createRepositoryReader({
    folder,
    client,
    allowHttp,
    caCertificates: config.caCertificates,
    log,
  });
  const sourceHttp = createSourceHttp({ client, allowHttp, clock });
  const appTokens = createAppTokens({ client, clock });
  const { openCredential } = createCredentialOpener(credentials, {
    appTokens,
    programs: createProgramCredentials({ clock }),
  });
  const sandbox = createSandbox({ ...parseContentLimits, workers: 2 });
  return {
    parts: { sourceHttp, startReading: createBodyReading(sandbox), repositories, openCredential, clock },
    async close() {
      await Promise.all([repositories.close(), sandbox.close(), client.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
