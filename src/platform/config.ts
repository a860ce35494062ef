import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { nearestName } from '../domain/text/nearest-name.ts';
import {
  addressRange,
  apiOrFilesUrl,
  certificatesFile,
  documentUrl,
  emailDomain,
  emailSender,
  hostOrRange,
  hostSuffix,
  hostWithPort,
  httpUrl,
  listOf,
  pauseSeconds,
  postgresUrl,
  proxyUrl,
  publicUrl,
  secretKey,
  serviceAccountFile,
  smtpUrl,
  tokenUrl,
  webOrigin,
  wholeNumber,
  yesOrNo,
} from './config-values.ts';
import { reservedPathSegments } from './http/base-path.ts';
import { isEmailAddress } from './http/email-address.ts';

/**
 * All environment variables that the program reads, each with its schema, default, and description. The
 * documentation is generated from this list.
 */
const variables = {
  host: variable('HOST', {
    default: '127.0.0.1',
    sentence:
      'Address to listen on. The container image sets `0.0.0.0`. `::` accepts connections over IPv6 and IPv4. Some shells and tools, such as csh and Conda, set this variable to another value.',
    expected: 'a host name or an IP address',
    schema: z.string().regex(/^[A-Za-z0-9._:-]+$/),
  }),
  port: variable('PORT', {
    default: '8080',
    sentence: 'Port to listen on. `0` picks a free port and prints it.',
    expected: 'a whole number from 0 to 65535',
    schema: wholeNumber(0, 65_535),
  }),
  baseUrl: variable('PACEKEEPER_BASE_URL', {
    default: null,
    shownDefault: '`http://HOST:PORT`, with `localhost` if `HOST` is `0.0.0.0` or `::`',
    sentence:
      'Public URL of the server, used for links in messages, cookies, and origin checks. It can have a path.',
    expected: `an http:// or https:// URL without query or fragment. A path can contain letters, digits, and "-._~", and can't begin with one of Pacekeeper's own (${reservedPathSegments.map((segment) => `/${segment}`).join(', ')})`,
    schema: publicUrl(),
  }),
  databaseUrl: variable('DATABASE_URL', {
    default: null,
    shownDefault: 'none: embedded PostgreSQL',
    sentence: 'PostgreSQL 14 or later, as `postgres://user:password@host:5432/name`.',
    expected: 'a postgres:// or postgresql:// URL',
    isSecret: true,
    schema: postgresUrl(),
  }),
  databaseListenUrl: variable('PACEKEEPER_DATABASE_LISTEN_URL', {
    default: null,
    shownDefault: 'same as `DATABASE_URL`',
    sentence:
      'Direct connection to the same database. Required if `DATABASE_URL` points to a transaction pooler.',
    expected: 'a postgres:// or postgresql:// URL',
    isSecret: true,
    schema: postgresUrl(),
  }),
  idleTransactionSeconds: variable('PACEKEEPER_DATABASE_IDLE_TRANSACTION_SECONDS', {
    default: '60',
    sentence:
      'Seconds after which PostgreSQL ends an idle transaction, to release the locks of a server process that stopped responding.',
    expected: 'a whole number from 1 to 3600',
    schema: wholeNumber(1, 3_600),
  }),
  dataDir: variable('PACEKEEPER_DATA_DIR', {
    default: './data',
    shownDefault: '`./data` (as root `/var/lib/pacekeeper`)',
    sentence: 'Data directory: embedded database, caches, generated key, and lock file.',
    expected: 'a path',
    schema: z.string().transform((path) => resolve(path)),
  }),
  secretKey: variable('PACEKEEPER_SECRET_KEY', {
    default: null,
    shownDefault: 'generated on first start (embedded database only)',
    sentence:
      'Encryption key for secrets: 32 bytes in base64 (`openssl rand -base64 32`). Required with `DATABASE_URL`.',
    expected: '32 random bytes in base64, as "openssl rand -base64 32" prints them',
    isSecret: true,
    schema: secretKey(),
  }),
  adminEmail: variable('PACEKEEPER_ADMIN_EMAIL', {
    default: 'admin@localhost',
    sentence: 'Email of the administrator created on first start.',
    expected: 'an email address such as ana@example.com',
    schema: z.string().refine(isEmailAddress),
  }),
  adminPassword: variable('PACEKEEPER_ADMIN_PASSWORD', {
    default: null,
    shownDefault: 'generated, printed until the first login',
    sentence:
      'Password of the administrator created on first start (8 to 1,000 characters). Only a generated password is printed.',
    expected: '8 to 1,000 characters',
    isSecret: true,
    schema: z.string().max(1_000),
  }),
  egressAllow: variable('PACEKEEPER_EGRESS_ALLOW', {
    default: '',
    shownDefault: 'none',
    sentence:
      'Private address ranges that outbound requests can reach, comma-separated: `10.0.0.0/8,192.168.1.5`. Cloud metadata addresses must be listed exactly.',
    expected: 'comma-separated address ranges, such as 10.0.0.0/8,fd00::/8',
    schema: listOf(addressRange),
  }),
  insecureHosts: variable('PACEKEEPER_INSECURE_HOSTS', {
    default: '',
    shownDefault: 'none',
    sentence:
      'Hosts that sources and Git can reach over plain HTTP, comma-separated, with optional ports: `git.lan,charts.lan:8080`.',
    expected: 'comma-separated hosts with optional ports, such as git.lan,git.lan:3000',
    schema: listOf(hostWithPort),
  }),
  caCertificates: variable('PACEKEEPER_CA_FILE', {
    default: null,
    shownDefault: 'none',
    sentence:
      'PEM file with certificate authorities that are trusted in addition to the usual ones, for every connection, including Git and PostgreSQL.',
    expected: 'a readable PEM file with at least one valid certificate',
    schema: certificatesFile(),
  }),
  proxyUrl: variable('PACEKEEPER_PROXY_URL', {
    default: null,
    shownDefault: 'none',
    sentence:
      'HTTP proxy for outbound connections, as `http://user:password@proxy:3128`. It must allow `CONNECT`.',
    expected: 'an http:// or https:// URL without a path',
    isSecret: true,
    schema: proxyUrl(),
  }),
  noProxy: variable('PACEKEEPER_NO_PROXY', {
    default: 'localhost,127.0.0.0/8,::1/128',
    sentence:
      'Hosts (with their subdomains) and address ranges that are reached without the proxy, comma-separated: `git.lan,10.0.0.0/8`.',
    expected: 'comma-separated hosts and address ranges, such as git.lan,10.0.0.0/8',
    schema: listOf(hostOrRange),
  }),
  proxyHosts: variable('PACEKEEPER_PROXY_HOSTS', {
    default: '',
    shownDefault: 'none',
    sentence:
      "Hosts (with their subdomains) whose names the proxy resolves, comma-separated: `github.com,ghcr.io`. Required where this machine can't resolve public names. Addresses of these hosts aren't checked.",
    expected: 'comma-separated hosts, such as github.com,ghcr.io',
    schema: listOf(hostSuffix),
  }),
  allowHttpWebhooks: variable('PACEKEEPER_ALLOW_HTTP_WEBHOOKS', {
    default: 'false',
    sentence: 'Whether webhooks can be sent to `http://` URLs, and audit exports to `syslog+tcp://`.',
    expected: 'true or false',
    schema: yesOrNo(),
  }),
  smtpServer: variable('PACEKEEPER_SMTP_URL', {
    default: null,
    shownDefault: 'none: email channels are unavailable',
    sentence:
      'Mail server for email channels, as `smtp://user:password@mail.example.com:587` (STARTTLS) or `smtps://…:465`. Percent-encode special characters in the password. It can have a private address.',
    expected: 'an smtp:// or smtps:// URL without a path, with a user and a password or neither',
    isSecret: true,
    schema: smtpUrl(),
  }),
  smtpStartTls: variable('PACEKEEPER_SMTP_STARTTLS', {
    default: null,
    shownDefault: '`required`, or `off` if the mail server is on this machine',
    sentence:
      'Whether `smtp://` connections must be encrypted. `off` sends emails and the password unencrypted.',
    expected: 'required or off',
    schema: z.enum(['required', 'off']),
  }),
  smtpOAuthTokenUrl: variable('PACEKEEPER_SMTP_OAUTH_TOKEN_URL', {
    default: null,
    shownDefault: 'none: login with the password in `PACEKEEPER_SMTP_URL`',
    sentence:
      'URL from which Pacekeeper gets access tokens for the mail server (XOAUTH2), with client credentials. Requires a client ID and a client secret.',
    expected: 'an https:// URL without credentials or fragment',
    schema: tokenUrl(),
  }),
  smtpOAuthClientId: variable('PACEKEEPER_SMTP_OAUTH_CLIENT_ID', {
    default: null,
    shownDefault: 'none',
    sentence: 'Client ID for `PACEKEEPER_SMTP_OAUTH_TOKEN_URL`.',
    expected: 'the ID of the client (application) at the provider',
    schema: z.string(),
  }),
  smtpOAuthClientSecret: variable('PACEKEEPER_SMTP_OAUTH_CLIENT_SECRET', {
    default: null,
    shownDefault: 'none',
    sentence: 'Client secret for `PACEKEEPER_SMTP_OAUTH_TOKEN_URL`.',
    expected: 'the secret of the client (application) at the provider, of at most 1,000 characters',
    isSecret: true,
    schema: z.string().max(1_000),
  }),
  smtpOAuthKeyFile: variable('PACEKEEPER_SMTP_OAUTH_KEY_FILE', {
    default: null,
    shownDefault: 'none',
    sentence:
      'Path of the JSON key file of a Google service account, which replaces the token URL, the client ID, and the client secret.',
    expected: 'a readable JSON file with client_email, token_uri, and an RSA private_key',
    schema: serviceAccountFile(),
  }),
  smtpOAuthScope: variable('PACEKEEPER_SMTP_OAUTH_SCOPE', {
    default: null,
    shownDefault:
      '`https://outlook.office365.com/.default`, or `https://mail.google.com/` with a service account',
    sentence: 'Scope of the access tokens for the mail server.',
    expected: 'a scope, such as https://outlook.office365.com/.default',
    schema: z.string(),
  }),
  smtpOAuthUser: variable('PACEKEEPER_SMTP_OAUTH_USER', {
    default: null,
    shownDefault: 'the address in `PACEKEEPER_EMAIL_FROM`',
    sentence: 'Mailbox for which the access tokens are used.',
    expected: 'the user name of a mailbox, such as alerts@example.com',
    schema: z.string().regex(/^[^\p{Cc}]+$/u),
  }),
  emailFrom: variable('PACEKEEPER_EMAIL_FROM', {
    default: null,
    shownDefault: 'none',
    sentence:
      'Sender of emails: `alerts@example.com` or `Pacekeeper <alerts@example.com>`. Required with `PACEKEEPER_SMTP_URL`.',
    expected: 'an email address, such as Pacekeeper <alerts@example.com>',
    schema: emailSender(),
  }),
  smtpEhloName: variable('PACEKEEPER_SMTP_EHLO_NAME', {
    default: null,
    shownDefault: 'the host name of `PACEKEEPER_BASE_URL`, or of this machine',
    sentence: 'Host name that Pacekeeper sends to the mail server in `EHLO`.',
    expected: 'a host name, such as pacekeeper.example.com',
    schema: z
      .string()
      .regex(
        /^(?=.{1,253}$)[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/u,
      ),
  }),
  emailReplyTo: variable('PACEKEEPER_EMAIL_REPLY_TO', {
    default: null,
    shownDefault: 'none',
    sentence: 'Address that receives replies to emails. Without it, replies go to `PACEKEEPER_EMAIL_FROM`.',
    expected: 'an email address, such as Platform team <platform@example.com>',
    schema: emailSender(),
  }),
  emailDomains: variable('PACEKEEPER_EMAIL_DOMAINS', {
    default: '',
    shownDefault: 'none',
    sentence:
      'Domains whose addresses email channels can send to, comma-separated: `example.com,ops.example.com`. Without them, only the addresses of members are allowed. Subdomains must be listed.',
    expected: 'comma-separated domains, such as example.com,ops.example.com',
    schema: listOf(emailDomain),
  }),
  trustedProxies: variable('PACEKEEPER_TRUSTED_PROXIES', {
    default: '',
    shownDefault: 'none',
    sentence:
      'Address ranges of proxies whose forwarded client address is trusted, comma-separated: `10.0.0.0/8,192.168.1.5`.',
    expected: 'comma-separated address ranges, such as 10.0.0.0/8,192.168.1.5',
    schema: listOf(addressRange),
  }),
  corsOrigins: variable('PACEKEEPER_CORS_ORIGINS', {
    default: '',
    shownDefault: 'none',
    sentence:
      'Origins whose web pages can call the API and `/mcp` from a browser (CORS), comma-separated: `https://portal.example.com`. These pages can use API keys and access tokens, but not login cookies.',
    expected: 'comma-separated origins, such as https://portal.example.com, without a path',
    schema: listOf(webOrigin),
  }),
  embeddedAgent: variable('PACEKEEPER_EMBEDDED_AGENT', {
    default: 'true',
    sentence: 'Whether the server runs an embedded agent.',
    expected: 'true or false',
    schema: yesOrNo(),
  }),
  agentConfigPath: variable('PACEKEEPER_AGENT_CONFIG', {
    default: null,
    shownDefault: 'none',
    sentence: 'Agent configuration file, including credentials.',
    expected: 'a path',
    schema: z.string().transform((path) => resolve(path)),
  }),
  referenceData: variable('PACEKEEPER_REFERENCE_DATA', {
    default: 'on',
    sentence:
      'Whether an agent fetches reference data once a day: end-of-support dates, known vulnerabilities, and which of them are exploited. `off` fetches nothing, regardless of the URLs. Files can be loaded in both cases.',
    expected: 'on or off',
    schema: z.enum(['on', 'off']).transform((text) => text === 'on'),
  }),
  endOfLifeUrl: variable('PACEKEEPER_END_OF_LIFE_URL', {
    default: 'https://endoflife.date/api/v1/products/full',
    sentence:
      'URL of the file with end-of-support dates, or of a mirror. An agent fetches the whole file once a day, so the request contains none of your data.',
    expected: 'an http:// or https:// URL without credentials or fragment',
    schema: documentUrl(),
  }),
  osvUrl: variable('PACEKEEPER_OSV_URL', {
    default: 'https://osv-vulnerabilities.storage.googleapis.com/{ecosystem}/all.zip',
    sentence:
      'URL of the files with known vulnerabilities, or of a mirror. `{ecosystem}` is replaced with an ecosystem, such as `Go`. An agent fetches whole files once a day, so the requests contain none of your packages. Without `{ecosystem}`, it is the URL of an API, such as `https://api.osv.dev`, to which the agent sends package names, but no versions.',
    expected: 'an http:// or https:// URL without credentials or fragment',
    schema: apiOrFilesUrl(),
  }),
  knownExploitedUrl: variable('PACEKEEPER_KNOWN_EXPLOITED_URL', {
    default: 'https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json',
    sentence:
      "URL of CISA's catalog of known exploited vulnerabilities, or of a mirror. An agent fetches the whole file once a day, so the request contains none of your data.",
    expected: 'an http:// or https:// URL without credentials or fragment',
    schema: documentUrl(),
  }),
  epssUrl: variable('PACEKEEPER_EPSS_URL', {
    default: 'https://epss.empiricalsecurity.com/epss_scores-current.csv.gz',
    sentence:
      'URL of the daily file with EPSS scores, compressed with gzip or not, or of a mirror. An agent fetches the whole file once a day, so the request contains none of your data.',
    expected: 'an http:// or https:// URL without credentials or fragment',
    schema: documentUrl(),
  }),
  oidcFile: variable('PACEKEEPER_OIDC_FILE', {
    default: null,
    shownDefault: 'none',
    sentence: 'Path of the file that configures login providers for single sign-on.',
    expected: 'a path',
    schema: z.string().transform((path) => resolve(path)),
  }),
  passwordLogin: variable('PACEKEEPER_PASSWORD_LOGIN', {
    default: 'on',
    sentence: 'Whether people can log in with a password. `off` requires a login provider.',
    expected: 'on or off',
    schema: z.enum(['on', 'off']).transform((text) => text === 'on'),
  }),
  retryScheduleSeconds: variable('PACEKEEPER_RETRY_SCHEDULE_SECONDS', {
    default: '10,30,60,300,900,1800,3600,7200,14400,14400,14400',
    sentence:
      'Delays between delivery attempts, in seconds. Global default of `delivery.retry_schedule_seconds`.',
    expected: '1 to 50 comma-separated whole numbers from 1 to 604800, such as 1,2,3',
    schema: listOf(pauseSeconds).refine((pauses) => pauses.length >= 1 && pauses.length <= 50),
  }),
  rateLimitPerMinute: variable('PACEKEEPER_RATE_LIMIT_PER_MINUTE', {
    default: '6000',
    sentence:
      'Requests per minute per credential on each server. `0` disables this limit and the limit on invalid keys, but not login limits.',
    expected: 'a whole number from 0 to 10000000',
    schema: wholeNumber(0, 10_000_000),
  }),
  keepAliveSeconds: variable('PACEKEEPER_KEEP_ALIVE_SECONDS', {
    default: '620',
    sentence:
      'Seconds for which an idle connection stays open. Must be longer than the idle timeout of a load balancer in front of the server.',
    expected: 'a whole number from 1 to 3600',
    schema: wholeNumber(1, 3_600),
  }),
  metricsPort: variable('PACEKEEPER_METRICS_PORT', {
    default: null,
    shownDefault: 'off (`/metrics` then requires a system key)',
    sentence: 'Separate port that serves Prometheus metrics without authentication.',
    expected: 'a whole number from 0 to 65535',
    schema: wholeNumber(0, 65_535),
  }),
  metricsHost: variable('PACEKEEPER_METRICS_HOST', {
    default: '127.0.0.1',
    sentence: 'Address for the metrics port. Anyone who can reach it can read the metrics.',
    expected: 'a host name or an IP address',
    schema: z.string().regex(/^[A-Za-z0-9._:-]+$/),
  }),
  logLevel: variable('PACEKEEPER_LOG_LEVEL', {
    default: 'info',
    sentence: 'Minimum log level.',
    expected: 'trace, debug, info, warn, error, fatal, or silent',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  }),
  logFormat: variable('PACEKEEPER_LOG_FORMAT', {
    default: null,
    shownDefault: '`json` (`pretty` on a terminal)',
    sentence: 'Log format.',
    expected: 'json or pretty',
    schema: z.enum(['json', 'pretty']),
  }),
  serverUrl: variable('PACEKEEPER_SERVER_URL', {
    default: null,
    shownDefault: 'none',
    sentence: 'Server URL for `agent` and the API commands.',
    expected: 'an http:// or https:// URL without query or fragment',
    schema: httpUrl(),
  }),
  apiKey: variable('PACEKEEPER_API_KEY', {
    default: null,
    shownDefault: 'none',
    sentence: 'API key for `agent` and the API commands.',
    expected: 'an API key, pk_<id>_<secret>',
    isSecret: true,
    schema: z.string().regex(/^pk_\d+_\S+$/),
  }),
} as const;

type Variables = typeof variables;

/** Values of all variables. `null` if a variable isn't set and has no default. */
export type Config = {
  readonly [Field in keyof Variables]:
    | z.output<Variables[Field]['schema']>
    | (Variables[Field]['default'] extends null ? null : never);
} & {
  /** Warnings for the operator, such as about an unknown variable. The caller logs them. */
  readonly warnings: readonly string[];
};

export interface ConfigVariable {
  name: string;
  /** Default value in Markdown. */
  defaultText: string;
  /** Description in Markdown. */
  sentence: string;
  expected: string;
  isSecret: boolean;
}

/** All variables in the order of the documentation. */
export const configVariables: readonly ConfigVariable[] = Object.values(variables).map(
  ({ name, default: text, shownDefault, sentence, expected, isSecret }) => ({
    name,
    defaultText: shownDefault ?? `\`${text}\``,
    sentence,
    expected,
    isSecret,
  }),
);

/**
 * The environment isn't valid. The message lists all problems, one line for each variable, without secrets.
 */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['Invalid configuration:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export interface ReadConfigOptions {
  /**
   * `client` for the agent and for commands that only send requests to a server. With this role, settings that only a
   * server needs aren't required.
   */
  role?: 'server' | 'client';
  isRoot?: boolean;
}

/**
 * Reads and validates all variables. An empty variable is treated as if it weren't set. Secrets can also be
 * read from files, whose paths are in variables such as `DATABASE_URL_FILE`.
 *
 * @throws ConfigError if a variable is invalid or missing.
 */
export function readConfig(
  given: Readonly<Record<string, string | undefined>>,
  { role = 'server', isRoot = process.getuid?.() === 0 }: ReadConfigOptions = {},
): Config {
  const { env, problems } = withSecretFiles(given);
  const values = {} as Record<keyof Variables, unknown>;
  for (const field of Object.keys(variables) as (keyof Variables)[]) {
    const { name, default: whenNotSet, expected, isSecret, schema } = variables[field];
    const written = isServiceLink(env[name]) ? undefined : env[name]?.trim();
    const isSet = written !== undefined && written !== '';
    const text = isSet ? written : field === 'dataDir' && isRoot ? '/var/lib/pacekeeper' : whenNotSet;
    if (text === null) {
      values[field] = null;
      continue;
    }
    const result = schema.safeParse(text);
    if (result.success) values[field] = result.data;
    else
      problems.push(
        `${name}: given ${isSecret ? hidden(text) : JSON.stringify(text)}, expected ${expected}${isQuoted(text) ? `; ${quotesSentence}` : explanationOf(result.error)}.`,
      );
  }
  if (role === 'server' && isGiven(env['DATABASE_URL']) && !isGiven(env['PACEKEEPER_SECRET_KEY'])) {
    problems.push(
      `PACEKEEPER_SECRET_KEY: not set, required with DATABASE_URL: ${variables.secretKey.expected}.`,
    );
  }
  if (role === 'server' && isGiven(env['PACEKEEPER_DATABASE_LISTEN_URL']) && !isGiven(env['DATABASE_URL'])) {
    problems.push('PACEKEEPER_DATABASE_LISTEN_URL: requires DATABASE_URL.');
  }
  if (role === 'server' && isGiven(env['PACEKEEPER_SMTP_URL']) !== isGiven(env['PACEKEEPER_EMAIL_FROM'])) {
    const [missing, other] = isGiven(env['PACEKEEPER_SMTP_URL'])
      ? [variables.emailFrom, variables.smtpServer]
      : [variables.smtpServer, variables.emailFrom];
    problems.push(`${missing.name}: not set, required with ${other.name}: ${missing.expected}.`);
  }
  if (role === 'server') problems.push(...smtpOAuthProblems(env, values as Config));
  if (problems.length > 0) throw new ConfigError(problems);
  // The code above parsed every field of `variables` with the schema of the field, so the values have the
  // declared types.
  return { ...values, warnings: warningsFor(env) } as Config;
}

/**
 * Returns the problems with the combination of the variables that configure access tokens for the mail
 * server.
 */
function smtpOAuthProblems(
  env: Readonly<Record<string, string | undefined>>,
  { smtpServer }: Partial<Config>,
): string[] {
  const isSet = ({ name }: { name: string }) => isGiven(env[name]);
  const client = [
    variables.smtpOAuthTokenUrl,
    variables.smtpOAuthClientId,
    variables.smtpOAuthClientSecret,
  ] as const;
  const { smtpOAuthKeyFile: keyFile, smtpOAuthScope: scope, smtpOAuthUser: user } = variables;
  const first = [keyFile, ...client, scope, user].find(isSet);
  if (first === undefined) return [];
  if (!isSet(variables.smtpServer)) return [`${first.name}: requires ${variables.smtpServer.name}.`];
  if (smtpServer?.login)
    return [`${variables.smtpServer.name}: must not contain a user and a password with ${first.name}.`];
  return isSet(keyFile)
    ? client.filter(isSet).map(({ name }) => `${name}: can't be combined with ${keyFile.name}.`)
    : client
        .filter((each) => !isSet(each))
        .map(({ name, expected }) => `${name}: not set, required with ${first.name}: ${expected}.`);
}

interface VariableOptions<Schema extends z.ZodType, Default extends string | null> {
  /** Default in the format of the environment variable. `null` for none. */
  default: Default;
  /** Default as shown in the documentation. */
  shownDefault?: string;
  sentence: string;
  /** Text after "expected" in an error message. */
  expected: string;
  isSecret?: boolean;
  schema: Schema;
}

function variable<Schema extends z.ZodType, Default extends string | null>(
  name: string,
  options: VariableOptions<Schema, Default>,
) {
  return { shownDefault: undefined, isSecret: false, ...options, name };
}

/**
 * Returns the environment with the secrets that are in files, without whitespace around them, and the problems with
 * those files. Docker and Kubernetes provide secrets as files.
 */
function withSecretFiles(env: Readonly<Record<string, string | undefined>>): {
  env: Readonly<Record<string, string | undefined>>;
  problems: string[];
} {
  const secrets: Record<string, string> = {};
  const problems: string[] = [];
  for (const { name } of configVariables.filter(({ isSecret }) => isSecret)) {
    const file = env[`${name}_FILE`]?.trim();
    if (file === undefined || file === '') continue;
    if (isGiven(env[name])) problems.push(`${name}_FILE: can't be combined with ${name}.`);
    try {
      secrets[name] = readFileSync(file, 'utf8').trim();
      if (secrets[name] === '') problems.push(`${name}_FILE: the file ${JSON.stringify(file)} is empty.`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push(`${name}_FILE: can't read ${JSON.stringify(file)} (${code}).`);
    }
  }
  return { env: { ...env, ...secrets }, problems };
}

const quotesSentence =
  "the value is enclosed in quotes. Docker doesn't remove quotes from values in --env-file, and Kubernetes doesn't from secrets";

function isQuoted(text: string): boolean {
  return /^(["']).+\1$/s.test(text);
}

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

/** Returns the message that the schema defines for an invalid value, if any. It's more specific than `expected`. */
function explanationOf({ issues }: z.ZodError): string {
  const found = issues.find((issue) => issue.code === 'custom' && issue.params?.['isExplained'] === true);
  return found === undefined ? '' : `; ${found.message}`;
}

function hidden(text: string): string {
  return `a value of ${text.length} characters (not shown)`;
}

/**
 * Returns warnings about unknown variables with the prefix of Pacekeeper. Variables for tests are ignored.
 */
function warningsFor(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = configVariables.map(({ name }) => name);
  const links = Object.keys(env)
    .filter((name) => name.startsWith('PACEKEEPER_') && isServiceLink(env[name]))
    .toSorted();
  const linked = links
    .filter((name) => known.includes(name))
    .map(
      (name) =>
        `${name} is ignored, because Kubernetes created it from the name of a service (${env[name]}). Set enableServiceLinks: false for the pod.`,
    );
  const files = configVariables.filter(({ isSecret }) => isSecret).map(({ name }) => `${name}_FILE`);
  const unknown = Object.keys(env)
    .filter((name) => !isOfServiceLink(name, links))
    .filter(
      (name) =>
        name.startsWith('PACEKEEPER_') &&
        !name.startsWith('PACEKEEPER_TEST_') &&
        !known.includes(name) &&
        !files.includes(name),
    )
    .toSorted()
    .map((name) => {
      const near = suggestVariable(name, known);
      return `Unknown variable ${name}.${near === null ? '' : ` Did you mean ${near}?`}`;
    });
  const quoted = known
    .filter((name) => isQuoted(env[name]?.trim() ?? ''))
    .map((name) => `${name}: ${quotesSentence}. If they aren't part of the value, remove them.`);
  return [...linked, ...unknown, ...quoted, ...unusedProxy(env)];
}

/**
 * True if Kubernetes created the variable for a service. The value then has the format of Docker links:
 * `PACEKEEPER_METRICS_PORT=tcp://10.96.1.2:9464` for the service `pacekeeper-metrics`.
 */
function isServiceLink(value: string | undefined): boolean {
  return (
    value !== undefined && /^(?:tcp|udp|sctp):\/\/(?:[\d.]+|\[[\da-f:]+\]|[\da-f:]+):\d+$/i.test(value.trim())
  );
}

/**
 * True if the variable is one of `links`, or if Kubernetes created it for the service of one of them, such as
 * `PACEKEEPER_METRICS_SERVICE_HOST` for `PACEKEEPER_METRICS_PORT`.
 */
function isOfServiceLink(name: string, links: readonly string[]): boolean {
  if (links.includes(name)) return true;
  const services = links
    .filter((link) => link.endsWith('_PORT'))
    .map((link) => link.slice(0, -'_PORT'.length));
  return services.some(
    (service) =>
      [`${service}_SERVICE_HOST`, `${service}_SERVICE_PORT`].some(
        (each) => name === each || name.startsWith(`${each}_`),
      ) || name.startsWith(`${service}_PORT_`),
  );
}

/**
 * Returns a warning if HTTPS_PROXY is set, but not PACEKEEPER_PROXY_URL. Many programs read HTTPS_PROXY and
 * let the proxy resolve host names. Pacekeeper has a variable of its own instead, because it resolves host
 * names itself and checks the addresses before it sends them to the proxy.
 */
function unusedProxy(env: Readonly<Record<string, string | undefined>>): string[] {
  if (isGiven(env['PACEKEEPER_PROXY_URL'])) return [];
  const name = ['HTTPS_PROXY', 'https_proxy'].find((each) => isGiven(env[each]));
  return name === undefined ? [] : [`${name} isn't used. To use a proxy, set PACEKEEPER_PROXY_URL.`];
}

/**
 * Returns the known variable with the most similar name. The prefix isn't compared, because only some
 * variables have it.
 */
function suggestVariable(name: string, known: readonly string[]): string | null {
  const bare = (text: string) => text.replace(/^PACEKEEPER_/, '');
  const near = nearestName(bare(name), known.map(bare));
  return known.find((each) => bare(each) === near) ?? null;
}
