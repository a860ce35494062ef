import type { Authenticator, LoginTokens } from '../modules/accounts/index.ts';
import type { ConfigurationApplies } from '../modules/configuration/index.ts';
import type { ReleaseCache } from '../modules/monitoring/index.ts';
import type { OnRun } from '../modules/runs/index.ts';
import type { Config } from '../platform/config.ts';
import type { Database, WakeUps } from '../platform/database/index.ts';
import type { GuessingLimit } from '../platform/http/index.ts';
import type { Log } from '../platform/log.ts';
import type { OutboundClient } from '../platform/outbound/index.ts';
import type { Sandbox } from '../platform/sandbox/index.ts';
import type { Passwords, SecretBox, TokenSigner } from '../platform/secrets/index.ts';

/** What a running server is made of. Each module takes from it what it needs, by name. */
export interface ServerParts {
  config: Config;
  log: Log;
  db: Database;
  wakeUps: WakeUps;
  sandbox: Sandbox;
  outbound: OutboundClient;
  secretBox: SecretBox;
  /** Signs acknowledgment links. */
  acknowledgeSigner: TokenSigner;
  /** Signs the addresses of badges. */
  badgeSigner: TokenSigner;
  passwords: Passwords;
  loginTokens: LoginTokens;
  authenticate: Authenticator['authenticate'];
  /** Counts invalid credentials that don't reach `authenticate`. */
  guessing: GuessingLimit;
  releaseCache: ReleaseCache;
  configurationApplies: ConfigurationApplies;
  /** Counts what becomes of runs. */
  onRun: OnRun;
  /** The public URL of the installation, without a trailing slash. */
  baseUrl: string;
  /** The operator hasn't set the base URL. */
  isBaseUrlGuessed: boolean;
  /** Of Pacekeeper. */
  version: string;
  /** What variables of the environment say of settings. */
  defaults: { retryScheduleSeconds: readonly number[] };
}
