import type { StartBodyReading } from '../agent/body-reading.ts';
import type {
  Authenticator,
  DeploymentTokens,
  LoginTokens,
  SingleSignOn,
} from '../modules/accounts/index.ts';
import type { ConfigurationApplies } from '../modules/configuration/index.ts';
import type { FreshnessThread } from '../modules/freshness/index.ts';
import type { ReleaseCache, Simulations } from '../modules/monitoring/index.ts';
import type { RunAttemptListener } from '../modules/runs/index.ts';
import type { PreviewGatherSourceDeps } from '../modules/upstream/index.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database/index.ts';
import type { Mailer } from '../platform/email/index.ts';
import type { TurnScheduler } from '../platform/fairness/index.ts';
import type { InvalidCredentialLimit } from '../platform/http/index.ts';
import type { Log } from '../platform/log.ts';
import type { OutboundClient } from '../platform/outbound/index.ts';
import type { Sandbox } from '../platform/sandbox/index.ts';
import type { Passwords, SecretBox, TokenSigner } from '../platform/secrets/index.ts';
import type { createSourceHttp } from '../sources/source-http.ts';

/** Components of a running server. Each module takes the components that it requires, by name. */
export interface ServerParts {
  config: Config;
  log: Log;
  db: Database;
  sandbox: Sandbox;
  /** Sandbox for content from other servers. It's separate, so that this content can't delay messages. */
  responseSandbox: Sandbox;
  outbound: OutboundClient;
  /** Mailer, or `null` if the operator hasn't configured a mail server. */
  mailer: Mailer | null;
  /** HTTP client for previews. All other source requests are sent by agents. */
  sourceHttp: ReturnType<typeof createSourceHttp>;
  /** Parses the response bodies of previews. */
  startReading: StartBodyReading;
  /** Lists the tags of Git repositories for previews. */
  previewGit: PreviewGatherSourceDeps['previewGit'];
  secretBox: SecretBox;
  /** Signs acknowledgment links. */
  acknowledgeSigner: TokenSigner;
  /** Signs the buttons of chat messages. */
  buttonSigner: TokenSigner;
  /** Signs the URLs of badges. */
  badgeSigner: TokenSigner;
  /** Signs the URLs of calendars. */
  calendarSigner: TokenSigner;
  passwords: Passwords;
  loginTokens: LoginTokens;
  deploymentTokens: DeploymentTokens;
  singleSignOn: SingleSignOn;
  authenticate: Authenticator['authenticate'];
  /** Counts invalid credentials that don't reach `authenticate`. */
  guessing: InvalidCredentialLimit;
  releaseCache: ReleaseCache;
  /** Scheduler of turns for work on many alert configurations. */
  evaluationTurns: TurnScheduler;
  simulations: Simulations;
  freshnessThread: FreshnessThread;
  configurationApplies: ConfigurationApplies;
  /** Counts the outcomes of runs. */
  onRun: RunAttemptListener;
  /** The public URL of the installation, without a trailing slash. */
  baseUrl: string;
  /** True if the operator hasn't set the base URL. */
  isBaseUrlGuessed: boolean;
  /** Version of Pacekeeper. */
  version: string;
  /** Default settings from environment variables. */
  defaults: { retryScheduleSeconds: readonly number[] };
}
