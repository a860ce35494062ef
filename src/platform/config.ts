import { resolve } from 'node:path';
import { z } from 'zod';
import {
  addressRange,
  hostWithPort,
  httpUrl,
  listOf,
  pauseSeconds,
  postgresUrl,
  wholeNumber,
  yesOrNo,
} from './config-values.ts';
import { isEmailAddress } from './http/email-address.ts';
import { nearestName } from './suggest-name.ts';

/**
 * Every variable of the environment that the program reads: how it is written, what it is when it is not set, and
 * its sentence. The documentation is made from this list.
 */
const variables = {
  host: variable('HOST', {
    default: '127.0.0.1',
    sentence: 'The address that the server listens on. The container image sets `0.0.0.0`.',
    expected: 'a host name or an IP address',
    schema: z.string().regex(/^[A-Za-z0-9._:-]+$/),
  }),
  port: variable('PORT', {
    default: '8080',
    sentence: 'The port that the server listens on. `0` picks a free one and prints it.',
    expected: 'a whole number from 0 to 65535',
    schema: wholeNumber(0, 65_535),
  }),
  baseUrl: variable('PACEKEEPER_BASE_URL', {
    default: null,
    shownDefault: '`http://HOST:PORT`, with `localhost` when `HOST` is every address',
    sentence:
      'The address under which people reach the server: for links in messages, cookies and the check of origins.',
    expected: 'a URL that begins with http:// or https://, without query and fragment',
    schema: httpUrl(),
  }),
  databaseUrl: variable('DATABASE_URL', {
    default: null,
    shownDefault: 'none: embedded PostgreSQL',
    sentence:
      'The PostgreSQL server (14 or later) that holds the data, as `postgres://user:password@host:5432/name`.',
    expected: 'a URL that begins with postgres:// or postgresql://',
    isSecret: true,
    schema: postgresUrl(),
  }),
  databaseListenUrl: variable('PACEKEEPER_DATABASE_LISTEN_URL', {
    default: null,
    shownDefault: 'as `DATABASE_URL`',
    sentence:
      'The same database without the pooler in between, needed when `DATABASE_URL` is a transaction pooler.',
    expected: 'a URL that begins with postgres:// or postgresql://',
    isSecret: true,
    schema: postgresUrl(),
  }),
  dataDir: variable('PACEKEEPER_DATA_DIR', {
    default: './data',
    shownDefault: '`./data` (as root `/var/lib/pacekeeper`)',
    sentence: 'The folder of the embedded database, the caches, the generated key and the lock.',
    expected: 'a path',
    schema: z.string().transform((path) => resolve(path)),
  }),
  secretKey: variable('PACEKEEPER_SECRET_KEY', {
    default: null,
    shownDefault: 'with the embedded database made at the first start, else none',
    sentence:
      'The key that secrets are encrypted with: 32 bytes in base64 (`openssl rand -base64 32`). Required with `DATABASE_URL`.',
    expected: '32 bytes in base64, as "openssl rand -base64 32" prints them',
    isSecret: true,
    schema: z
      .string()
      .regex(/^[A-Za-z0-9+/]{43}=$/)
      .transform((text) => Buffer.from(text, 'base64')),
  }),
  adminEmail: variable('PACEKEEPER_ADMIN_EMAIL', {
    default: 'admin@localhost',
    sentence: 'The email address of the administrator that the first start makes.',
    expected: 'an email address such as ana@example.com',
    schema: z.string().refine(isEmailAddress),
  }),
  adminPassword: variable('PACEKEEPER_ADMIN_PASSWORD', {
    default: null,
    shownDefault: 'generated, printed until the first login',
    sentence:
      'The password of the administrator that the first start makes. Only a generated password is printed.',
    expected: 'at most 1000 characters',
    isSecret: true,
    schema: z.string().max(1_000),
  }),
  egressAllow: variable('PACEKEEPER_EGRESS_ALLOW', {
    default: '',
    shownDefault: 'none',
    sentence:
      'Address ranges that outbound requests may reach although they are private. Metadata addresses only when named exactly.',
    expected: 'address ranges such as 10.0.0.0/8 or fd00::/8, with commas between them',
    schema: listOf(addressRange),
  }),
  insecureHosts: variable('PACEKEEPER_INSECURE_HOSTS', {
    default: '',
    shownDefault: 'none',
    sentence: 'Hosts that sources and git may reach by plain HTTP.',
    expected: 'hosts, each with or without a port, such as git.lan or git.lan:3000, with commas between them',
    schema: listOf(hostWithPort),
  }),
  allowHttpWebhooks: variable('PACEKEEPER_ALLOW_HTTP_WEBHOOKS', {
    default: 'false',
    sentence: 'Whether webhooks may be sent to `http://` addresses.',
    expected: 'true or false',
    schema: yesOrNo(),
  }),
  trustedProxies: variable('PACEKEEPER_TRUSTED_PROXIES', {
    default: '',
    shownDefault: 'none',
    sentence: 'Address ranges of the proxies whose word on the address of the client is believed.',
    expected: 'address ranges such as 10.0.0.0/8 or 192.168.1.5, with commas between them',
    schema: listOf(addressRange),
  }),
  embeddedAgent: variable('PACEKEEPER_EMBEDDED_AGENT', {
    default: 'true',
    sentence: 'Whether the server runs an agent of its own.',
    expected: 'true or false',
    schema: yesOrNo(),
  }),
  agentConfigPath: variable('PACEKEEPER_AGENT_CONFIG', {
    default: null,
    shownDefault: 'none',
    sentence: 'The file with the credentials of the agent.',
    expected: 'a path',
    schema: z.string().transform((path) => resolve(path)),
  }),
  retryScheduleSeconds: variable('PACEKEEPER_RETRY_SCHEDULE_SECONDS', {
    default: '10,30,60,300,900,1800,3600,7200,14400,14400,14400',
    sentence:
      'The pauses between the attempts of a delivery: the global default of the setting `delivery.retry_schedule_seconds`.',
    expected: '1 to 50 whole numbers from 1 to 604800 with commas between them, such as 1,2,3',
    schema: listOf(pauseSeconds).refine((pauses) => pauses.length >= 1 && pauses.length <= 50),
  }),
  rateLimitPerMinute: variable('PACEKEEPER_RATE_LIMIT_PER_MINUTE', {
    default: '6000',
    sentence:
      'Requests that a credential may make in a minute. `0` turns this limit and those on wrong keys off, never those on logins.',
    expected: 'a whole number from 0 to 10000000',
    schema: wholeNumber(0, 10_000_000),
  }),
  metricsPort: variable('PACEKEEPER_METRICS_PORT', {
    default: null,
    shownDefault: 'off (then `/metrics` needs a system key)',
    sentence: 'A port of its own that serves metrics for Prometheus without a key.',
    expected: 'a whole number from 0 to 65535',
    schema: wholeNumber(0, 65_535),
  }),
  metricsHost: variable('PACEKEEPER_METRICS_HOST', {
    default: '127.0.0.1',
    sentence: 'The address of the port for metrics. Whoever reaches it may read them.',
    expected: 'a host name or an IP address',
    schema: z.string().regex(/^[A-Za-z0-9._:-]+$/),
  }),
  logLevel: variable('PACEKEEPER_LOG_LEVEL', {
    default: 'info',
    sentence: 'The least severe lines that are logged.',
    expected: 'trace, debug, info, warn, error, fatal or silent',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
  }),
  logFormat: variable('PACEKEEPER_LOG_FORMAT', {
    default: null,
    shownDefault: '`json` (`pretty` on a terminal)',
    sentence: 'How lines are logged.',
    expected: 'json or pretty',
    schema: z.enum(['json', 'pretty']),
  }),
  serverUrl: variable('PACEKEEPER_SERVER_URL', {
    default: null,
    shownDefault: 'none',
    sentence: 'The server that `agent` and the commands speak to.',
    expected: 'a URL that begins with http:// or https://, without query and fragment',
    schema: httpUrl(),
  }),
  apiKey: variable('PACEKEEPER_API_KEY', {
    default: null,
    shownDefault: 'none',
    sentence: 'The API key with which `agent` and the commands do so.',
    expected: 'an API key, pk_<id>_<secret>',
    isSecret: true,
    schema: z.string().regex(/^pk_\d+_\S+$/),
  }),
} as const;

type Variables = typeof variables;

/** The values of all variables. Where a variable is not set and has no default, `null`. */
export type Config = {
  readonly [Field in keyof Variables]:
    | z.output<Variables[Field]['schema']>
    | (Variables[Field]['default'] extends null ? null : never);
} & {
  /** What the operator should look at, such as a variable that does not exist. To be logged. */
  readonly warnings: readonly string[];
};

export interface ConfigVariable {
  name: string;
  /** Markdown. */
  defaultText: string;
  /** Markdown. */
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

/** The environment is wrong. The message is the whole list, one line for each variable; it shows no secret. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(['The configuration is wrong:', ...problems.map((problem) => `  ${problem}`)].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

export interface ReadConfigOptions {
  /** `client`: the agent and the commands that only speak to a server; what only a server needs is not asked for. */
  role?: 'server' | 'client';
  isRoot?: boolean;
}

/** Reads and checks all variables. An empty one counts as not set. Throws a `ConfigError`. */
export function readConfig(
  env: Readonly<Record<string, string | undefined>>,
  { role = 'server', isRoot = process.getuid?.() === 0 }: ReadConfigOptions = {},
): Config {
  const problems: string[] = [];
  const values = {} as Record<keyof Variables, unknown>;
  for (const field of Object.keys(variables) as (keyof Variables)[]) {
    const { name, default: whenNotSet, expected, isSecret, schema } = variables[field];
    const given = env[name]?.trim();
    const isSet = given !== undefined && given !== '';
    const text = isSet ? given : field === 'dataDir' && isRoot ? '/var/lib/pacekeeper' : whenNotSet;
    if (text === null) {
      values[field] = null;
      continue;
    }
    const result = schema.safeParse(text);
    if (result.success) values[field] = result.data;
    else
      problems.push(
        `${name}: given ${isSecret ? hidden(text) : JSON.stringify(text)}, expected ${expected}.`,
      );
  }
  if (role === 'server' && isGiven(env['DATABASE_URL']) && !isGiven(env['PACEKEEPER_SECRET_KEY'])) {
    problems.push(
      `PACEKEEPER_SECRET_KEY: not given, expected with DATABASE_URL: ${variables.secretKey.expected}.`,
    );
  }
  if (role === 'server' && isGiven(env['PACEKEEPER_DATABASE_LISTEN_URL']) && !isGiven(env['DATABASE_URL'])) {
    problems.push('PACEKEEPER_DATABASE_LISTEN_URL: given without DATABASE_URL, expected together with it.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  // Every field of `variables` was parsed by its own schema above.
  return { ...values, warnings: warningsFor(env) } as Config;
}

interface VariableOptions<Schema extends z.ZodType, Default extends string | null> {
  /** As it would be written in the environment; `null`: nothing. */
  default: Default;
  /** How the documentation shows the default. */
  shownDefault?: string;
  sentence: string;
  /** Ends the sentence "expected …". */
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

function isGiven(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '';
}

function hidden(text: string): string {
  return `a value of ${text.length} characters (not shown)`;
}

/** Variables that are meant for us and that nobody reads. Those of tests are not ours to judge. */
function warningsFor(env: Readonly<Record<string, string | undefined>>): string[] {
  const known = configVariables.map(({ name }) => name);
  return Object.keys(env)
    .filter(
      (name) =>
        name.startsWith('PACEKEEPER_') && !name.startsWith('PACEKEEPER_TEST_') && !known.includes(name),
    )
    .toSorted()
    .map((name) => `${name} is not known and has no effect. Is ${nearestName(name, known)} meant?`);
}
