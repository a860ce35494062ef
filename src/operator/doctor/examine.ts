import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Config } from '../../platform/config.ts';
import { connectDatabase, type Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log.ts';
import { openEmbedded } from '../../server/open-installation.ts';
import { type Check, failedCheck, ok, reasonOf, warn } from './check.ts';
import {
  checkClock,
  checkDatabaseSettings,
  checkDurability,
  checkLatency,
  checkMigrations,
  checkSecretKey,
  checkWakeUps,
} from './check-database.ts';
import { checkLoginProviders } from './check-login-providers.ts';
import { checkMailLogin } from './check-mail-login.ts';
import { checkBaseUrl, checkDataFolder, checkEgress, checkProxy } from './check-surroundings.ts';
import {
  checkReferenceData,
  checkServers,
  judgeAgents,
  judgeChannels,
  judgeDeadLetters,
  judgeQueues,
} from './check-work.ts';
import {
  type ChannelState,
  countDeadLettersAcrossOrganizations,
  countServers,
  listAgentsAcrossOrganizations,
  listChannelsAcrossOrganizations,
  readQueueAgesAcrossOrganizations,
  readReferenceAgesAcrossOrganizations,
} from './doctor-queries.ts';

/**
 * Checks all parts of an installation without changes: it doesn't migrate the schema, and creates no
 * directory, key, or database.
 */
export async function runChecks(config: Config, log: Log): Promise<Check[]> {
  const { checks, channels } = await examineDatabase(config, log);
  return [
    config.warnings.length === 0
      ? ok('configuration', 'Configuration is valid.')
      : warn('configuration', config.warnings.join(' '), 'Fix or remove these variables.'),
    checkDataFolder(config),
    ...checks,
    checkBaseUrl(config),
    await checkEgress(config, channels),
    ...(config.proxyUrl === null ? [] : [await checkProxy(config.proxyUrl)]),
    ...(await checkMailLogin(config)),
  ];
}

/** Returns a failed check with all configuration problems. Other checks require a valid configuration. */
export function invalidConfiguration(problems: readonly string[]): Check[] {
  return [failedCheck('configuration', problems.join(' '), 'Fix the configuration to run the other checks.')];
}

interface Examined {
  checks: Check[];
  channels: ChannelState[];
}

async function examineDatabase(config: Config, log: Log): Promise<Examined> {
  const { databaseUrl, dataDir, databaseListenUrl } = config;
  const only = (check: Check): Examined => ({ checks: [check], channels: [] });
  if (databaseUrl === null && !existsSync(path.join(dataDir, 'postgres'))) {
    return only(
      warn(
        'database',
        `No database in ${dataDir} yet.`,
        'The first start creates it. If you have an existing one, set PACEKEEPER_DATA_DIR or restore a backup.',
      ),
    );
  }
  let stop = async () => undefined as void;
  try {
    const embedded = databaseUrl === null ? await openEmbedded(config, log, { mayJoin: true }) : null;
    if (embedded) stop = () => embedded.stop();
    const connection = databaseUrl ?? embedded!.connection;
    const db = await connectDatabase({
      connection,
      log,
      poolSize: 2,
      statementTimeoutMs: 15_000,
      isPooled: databaseListenUrl !== null,
      acceptsReadOnly: true,
    });
    try {
      const latency = await checkLatency(db, connection);
      const { check: migrations, isReady } = await checkMigrations(db);
      const wakeUps = await checkWakeUps(db, connection, config);
      const settings = await checkDatabaseSettings(db);
      if (!isReady) return { checks: [latency, ...settings, migrations, wakeUps], channels: [] };
      const durability = await checkDurability(db);
      const clock = await checkClock(db);
      const secretKey = await checkSecretKey(db, config);
      const { checks, channels } = await examineWork(db);
      const providers = await checkLoginProviders(config, db);
      return {
        checks: [
          latency,
          ...settings,
          ...durability,
          migrations,
          wakeUps,
          clock,
          secretKey,
          ...checks,
          ...providers,
        ],
        channels,
      };
    } finally {
      await db.destroy();
    }
  } catch (error) {
    return only(failedCheck('database', `${reasonOf(error)}.`, 'The other checks need a working database.'));
  } finally {
    await stop();
  }
}

async function examineWork(db: Database): Promise<Examined> {
  const servers = await countServers(db);
  const channels = await listChannelsAcrossOrganizations(db);
  return {
    checks: [
      checkServers(servers),
      judgeAgents(await listAgentsAcrossOrganizations(db), servers),
      judgeQueues(await readQueueAgesAcrossOrganizations(db), servers),
      judgeDeadLetters(await countDeadLettersAcrossOrganizations(db)),
      judgeChannels(channels),
      checkReferenceData(await readReferenceAgesAcrossOrganizations(db)),
    ],
    channels,
  };
}
