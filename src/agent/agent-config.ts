import { createPrivateKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isItem } from '../domain/json/json-item.ts';
import { checkHeaders } from '../domain/templates/check-headers.ts';
import { withoutTrailing } from '../domain/text/trailing.ts';
import { yamlProblem } from '../domain/text/yaml-problem.ts';
import { taskCapabilities } from '../generated/agent-capabilities.ts';
import { ConfigError } from '../platform/config.ts';
import { isHostEntry } from '../platform/outbound/index.ts';
import { githubHosts, isAllowedFor } from '../sources/source-credential.ts';
import { sources } from '../sources/sources.ts';
import type {
  AgentCredential,
  AnyCredential,
  AppCredential,
  ClusterCredential,
  HelperCredential,
  HostCredential,
} from './agent-credential.ts';
import { programEnvironment } from './credential-program.ts';

/**
 * Capability to read the socket of Docker or Podman, which is equivalent to root access to its host. An agent
 * whose configuration lists `hosts` has this capability and no others.
 */
const hostCapability = 'discovery:docker';

/** Capabilities that an agent can have. By default, it has all of them. Some source types have no runs, so no source. */
export const agentCapabilities: readonly string[] = taskCapabilities.filter(
  (capability) =>
    capability !== hostCapability &&
    (!capability.startsWith('gather:') || Object.hasOwn(sources, capability.slice('gather:'.length))),
);

export interface AgentConfig {
  name: string;
  capabilities: readonly string[];
  credentials: readonly AnyCredential[];
  /** Absolute paths of the configuration file and of the files that its values refer to. */
  files: readonly string[];
}

export interface RemoteAgentConfig extends AgentConfig {
  serverUrl: string;
  apiKey: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration of a remote agent from its file, if any. `PACEKEEPER_SERVER_URL` and
 * `PACEKEEPER_API_KEY` provide fields that the file doesn't set.
 * @throws ConfigError with all problems
 */
export function readAgentConfig(file: string | null, env: Env): RemoteAgentConfig {
  const given: unknown = file === null ? {} : readFile(file);
  const withEnv = isItem(given)
    ? {
        server: env['PACEKEEPER_SERVER_URL']?.trim() || undefined,
        api_key: env['PACEKEEPER_API_KEY']?.trim() || undefined,
        ...given,
      }
    : given;
  const { config, files } = check(remoteFile, withEnv, file, env, notForRemoteAgents);
  return {
    files,
    serverUrl: withoutTrailing(config.server, '/'),
    apiKey: config.api_key,
    name: config.name ?? (hostname().slice(0, 200) || 'agent'),
    capabilities: config.hosts ? [hostCapability] : config.capabilities,
    credentials: toCredentials(config, file, env),
  };
}

/**
 * Reads the credentials of a remote agent. Checking them doesn't require a server.
 * @throws ConfigError
 */
export function readAgentCredentials(file: string | null, env: Env): readonly AnyCredential[] {
  const given = file === null ? {} : readFile(file);
  try {
    const schema = remoteFile.partial({ server: true, api_key: true });
    const { config } = check(schema, given, file, env, notForRemoteAgents);
    return toCredentials(config, file, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Also report unreadable cluster files. The credential check normally does that, but it doesn't run if
    // the configuration is invalid.
    const more = clusterFileProblems(given, path.dirname(file ?? '.'));
    throw new ConfigError([...error.problems, ...more.map((problem) => `${file}: ${problem}`)]);
  }
}

/**
 * Reports cluster files that can't be read. Loading the configuration doesn't read these files, because every
 * scan does.
 */
function clusterFileProblems(given: unknown, folder: string): string[] {
  const list: unknown = isItem(given) ? given['credentials'] : [];
  return (Array.isArray(list) ? (list as unknown[]) : []).flatMap((entry, index) => {
    if (!isItem(entry) || entry['type'] !== 'kubernetes') return [];
    return ['ca_file', 'token_file'].flatMap((field) => {
      const name = entry[field];
      if (typeof name !== 'string' || /^(env|file):/.test(name)) return [];
      const problem = readProblem(path.resolve(folder, name));
      return problem === null ? [] : [`credentials[${index}].${field}: can't read file ${name} (${problem})`];
    });
  });
}

/**
 * Checks that a file can be read.
 * @returns The error code, or `null` if the file is readable.
 */
function readProblem(file: string): string | null {
  try {
    readFileSync(file);
    return null;
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'error';
  }
}

/**
 * Reads the configuration of the embedded agent. Without a file, the agent has no credentials.
 * @throws ConfigError
 */
export function readEmbeddedAgentConfig(file: string | null, env: Env): AgentConfig {
  const { config, files } = check(embeddedFile, file === null ? {} : readFile(file), file, env, null);
  const { capabilities } = config;
  return { capabilities, credentials: toCredentials(config, file, env), name: 'embedded', files };
}

const notForRemoteAgents = "isn't allowed here; a remote agent serves its API key's organization";

/** Directory in a pod that contains the credentials of its service account. */
const serviceAccountDir = '/var/run/secrets/kubernetes.io/serviceaccount';

const text = (max: number) =>
  z.string().trim().min(1, 'must not be empty').max(max, `must be at most ${max} characters`);
const secret = text(65_536);
/** Text that is sent in a header. */
const headerText = (max: number) =>
  text(max).regex(/^[\x21-\x7e]*$/, 'must contain no spaces and only ASCII');

const hosts = z
  .array(
    z.string().refine(isHostEntry, 'must be a host or host:port'),
    'is required: the hosts this credential can be sent to',
  )
  .min(1, 'must list at least one host');

const organizations = z
  .array(z.int().min(1), 'is required: the organization IDs that can use this credential')
  .min(1, 'must list at least one organization');

/** HTTP headers to send, by name. Error messages never contain their values. */
const headers = z.record(z.string(), secret, 'is required: the headers to send, by name').check((given) => {
  for (const { name, message } of checkHeaders(given.value))
    given.issues.push({ code: 'custom', input: given.value, path: name === null ? [] : [name], message });
  if (Object.keys(given.value).length === 0)
    given.issues.push({ code: 'custom', input: given.value, message: 'must have at least one header' });
});

const common = { name: text(200), organizations: organizations.optional() };
const appNumber = z.int('is required').min(1);

/** Name of a Docker credential helper: the `NAME` in the name of its program, `docker-credential-NAME`. */
const helperName = z
  .string()
  .regex(/^[A-Za-z0-9][\w.-]{0,63}$/, 'must be the NAME of docker-credential-NAME, such as ecr-login');

const environment = z.record(z.string().regex(/^\w+$/, 'must be the name of a variable'), z.string());

/** Helpers that credentials can use. An entry can set environment variables for its helper. */
const credentialHelpers = z
  .array(
    z.union([
      helperName.transform((name) => ({ name, env: {} })),
      z.strictObject({ name: helperName, env: environment.default({}) }),
    ]),
  )
  .max(100)
  .default([]);

/** User name and password, or a helper that returns them. */
const basic = {
  username: text(200).optional(),
  password: secret.optional(),
  credential_helper: helperName.optional(),
};

const token = { token: secret, username: text(200).optional() };

/** Token, or a helper that returns it as a password. */
const issuedToken = { ...token, token: secret.optional(), credential_helper: helperName.optional() };

/** The `exec` block of a user in a kubeconfig, as the tools of cloud providers write it. */
const exec = z.strictObject({
  apiVersion: z.enum(
    ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'],
    'must be client.authentication.k8s.io/v1 or client.authentication.k8s.io/v1beta1',
  ),
  command: text(4_096),
  args: z.array(z.string()).max(100).nullable().default([]),
  env: z
    .array(z.strictObject({ name: z.string().regex(/^\w+$/), value: z.string() }))
    .max(100)
    .nullable()
    .default([]),
  provideClusterInfo: z.boolean().default(false),
  // These fields are ignored, because they only apply to interactive use in a terminal.
  installHint: z.string().optional(),
  interactiveMode: z.string().optional(),
});

const credentials = z
  .array(
    z.discriminatedUnion(
      'type',
      [
        z.strictObject({ ...common, type: z.literal('https_pat'), hosts, ...issuedToken }),
        z.strictObject({
          ...common,
          type: z.literal('github_token'),
          hosts: hosts.default([...githubHosts]),
          ...token,
        }),
        z
          .strictObject({
            ...common,
            type: z.literal('github_app'),
            app_id: appNumber.or(text(100)).transform(String),
            installation_id: appNumber.or(z.string().regex(/^\d+$/, 'must be a number')).transform(String),
            private_key: secret.refine(isRsaKey, "must be the app's private key (PEM)"),
            hosts: hosts.default([...githubHosts]),
            api_url: z
              .url({ protocol: /^https?$/, error: 'must be the URL of the REST API (https://)' })
              .refine(hasNoExtraUrlParts, 'must not contain a user name, a query, or a fragment')
              .default('https://api.github.com'),
          })
          .refine(
            ({ hosts: listed, api_url }) =>
              !URL.canParse(api_url) || isAllowedFor({ hosts: listed }, new URL(api_url)),
            { path: ['api_url'], error: 'must be on one of the hosts of the credential' },
          ),
        z.strictObject({
          ...common,
          type: z.literal('ssh_key'),
          hosts,
          private_key: secret.refine(
            (key) => key.includes('PRIVATE KEY-----'),
            'must be a PEM or OpenSSH private key',
          ),
          known_hosts: secret,
        }),
        z.strictObject({
          ...common,
          type: z.literal('registry_basic'),
          hosts,
          ...basic,
        }),
        z.strictObject({
          ...common,
          type: z.literal('kubernetes'),
          in_cluster: z.boolean().default(false),
          api_server: z
            .url({ protocol: /^https$/, error: 'must be the URL of the API server (https://)' })
            .refine(hasNoExtraUrlParts, 'must not contain a user name, a query, or a fragment')
            .optional(),
          ca_file: text(4_096).optional(),
          token_file: text(4_096).optional(),
          exec: exec.optional(),
        }),
        z.strictObject({
          ...common,
          type: z.literal('http_basic'),
          hosts,
          ...basic,
        }),
        z.strictObject({ ...common, type: z.literal('http_headers'), hosts, headers }),
        z.strictObject({
          ...common,
          type: z.literal('s3'),
          hosts,
          access_key_id: headerText(200),
          secret_access_key: secret,
          session_token: headerText(65_536).optional(),
          region: z
            .string()
            .regex(/^[a-z0-9-]{1,40}$/, 'must be a region such as eu-central-1')
            .optional(),
        }),
      ],
      'must be https_pat, ssh_key, registry_basic, github_token, github_app, http_basic, http_headers, s3, or kubernetes; container hosts are listed in hosts',
    ),
  )
  .max(500)
  .default([]);

/** True if the text is an RSA private key, the only type of key that GitHub Apps have. */
function isRsaKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

/**
 * True if a URL has no user name, password, query, and fragment. Also returns true for text that isn't a URL,
 * because this refinement runs even if the URL check has already reported the problem.
 */
function hasNoExtraUrlParts(text: string): boolean {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
}

const capabilities = z
  .array(
    z.enum(
      agentCapabilities,
      `must be one of ${agentCapabilities.join(', ')}; an agent for container hosts lists hosts instead`,
    ),
  )
  .min(1)
  .default([...agentCapabilities]);

/** Container hosts whose sockets the agent reads. */
const containerHosts = z
  .array(
    z.strictObject({
      name: text(200),
      socket: z
        .string('is required: the path of the socket, such as /var/run/docker.sock')
        .max(107, 'must be at most 107 characters')
        .regex(/^\/[^\0]+$/, "must be the absolute path of a Unix socket; TCP isn't supported"),
    }),
  )
  .min(1, 'must list at least one container host')
  .max(500);

const serverAddress = z.url({
  protocol: /^https?$/,
  error: 'is required: the server URL (http:// or https://)',
});

const remoteFile = z.strictObject({
  server: serverAddress,
  api_key: z
    .string('is required: an API key with the agent role')
    .regex(/^pk_\d+_\S+$/, 'must be an API key (pk_<id>_<secret>)'),
  name: text(200).optional(),
  capabilities,
  credential_helpers: credentialHelpers,
  credentials,
  hosts: containerHosts.optional(),
});

const embeddedFile = z.strictObject({
  capabilities,
  credential_helpers: credentialHelpers,
  credentials,
  hosts: z.never('requires a separate agent; see "Container hosts" in the documentation').optional(),
});

type EntryOf<Type> = Extract<z.output<typeof credentials>[number], { type: Type }>;

/**
 * Converts the configured credentials. Paths are relative to the directory of the configuration file.
 * @throws ConfigError
 */
function toCredentials(
  config: Pick<z.output<typeof remoteFile>, 'credentials' | 'credential_helpers' | 'hosts'>,
  file: string | null,
  env: Env,
): readonly AnyCredential[] {
  const problems: string[] = [];
  const list = config.credentials.map((entry, index) => {
    if (entry.type === 'github_app') return toAppCredential(entry);
    if (entry.type === 'registry_basic' || entry.type === 'http_basic' || entry.type === 'https_pat') {
      const issued = toIssuedCredential(entry, config.credential_helpers, env);
      if (typeof issued === 'string') problems.push(`credentials[${index}]${issued}`);
      return issued;
    }
    if (entry.type !== 'kubernetes') return toCredential(entry);
    const credential = toClusterCredential(entry, path.dirname(file ?? '.'), env);
    if (typeof credential === 'string') problems.push(`credentials[${index}]${credential}`);
    return credential;
  });
  throwProblems(problems, file);
  const containers = (config.hosts ?? []).map(
    ({ name, socket }): HostCredential => ({ type: 'docker', name, organizations: null, socket }),
  );
  return [...containers, ...list.filter((credential) => typeof credential !== 'string')];
}

function toAppCredential(entry: EntryOf<'github_app'>): AppCredential {
  const { type, name, organizations: served = null, hosts: listed, app_id: appId } = entry;
  const { api_url, installation_id: installationId, private_key: privateKey } = entry;
  const apiUrl = withoutTrailing(api_url, '/');
  return { type, name, organizations: served, hosts: listed, apiUrl, appId, installationId, privateKey };
}

/**
 * Converts the entry of a cluster.
 * @returns The credential, or a problem to append to the path of the entry.
 */
function toClusterCredential(
  entry: EntryOf<'kubernetes'>,
  folder: string,
  env: Env,
): ClusterCredential | string {
  const { name, organizations: served = null, in_cluster, api_server, ca_file, token_file } = entry;
  const given = entry.exec;
  const base = { type: 'kubernetes', name, organizations: served } as const;
  if (in_cluster) {
    if ([api_server, ca_file, token_file, given].some((each) => each !== undefined))
      return ".in_cluster: can't be combined with api_server, ca_file, token_file, or exec";
    const host = env['KUBERNETES_SERVICE_HOST']?.trim() ?? '';
    const port = env['KUBERNETES_SERVICE_PORT']?.trim() ?? '443';
    if (host === '')
      return ".in_cluster: this process doesn't run in a Kubernetes pod; set api_server, and token_file or exec";
    return {
      ...base,
      apiServer: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      caFile: `${serviceAccountDir}/ca.crt`,
      tokenFile: `${serviceAccountDir}/token`,
      exec: null,
      isInCluster: true,
    };
  }
  if (api_server === undefined || (token_file === undefined) === (given === undefined))
    return ': requires in_cluster: true, or api_server and either token_file or exec';
  return {
    ...base,
    apiServer: withoutTrailing(api_server, '/'),
    isInCluster: false,
    caFile: ca_file === undefined ? null : path.resolve(folder, ca_file),
    tokenFile: token_file === undefined ? null : path.resolve(folder, token_file),
    exec:
      given === undefined
        ? null
        : {
            apiVersion: given.apiVersion,
            providesClusterInfo: given.provideClusterInfo,
            // As in a kubeconfig, a command with a slash is a path relative to the configuration file, and any other
            // command is found in `PATH`.
            command: given.command.includes('/') ? path.resolve(folder, given.command) : given.command,
            args: given.args ?? [],
            env: programEnvironment(
              env,
              Object.fromEntries((given.env ?? []).map(({ name: variable, value }) => [variable, value])),
            ),
          },
  };
}

/**
 * Converts a credential that contains a password or token, or a helper that returns one.
 * @returns The credential, or a problem to append to the path of the entry.
 */
function toIssuedCredential(
  entry: EntryOf<'registry_basic' | 'http_basic' | 'https_pat'>,
  helpers: z.output<typeof credentialHelpers>,
  env: Env,
): AgentCredential | HelperCredential | string {
  const { type, username, credential_helper: helper } = entry;
  if (helper === undefined) {
    const missing = (field: string) => `.${field}: is required without credential_helper`;
    if (entry.type === 'https_pat')
      return entry.token === undefined ? missing('token') : toCredential({ ...entry, token: entry.token });
    const { password } = entry;
    if (username === undefined) return missing('username');
    if (password === undefined) return missing('password');
    return toCredential({ ...entry, username, password });
  }
  const given = entry.type === 'https_pat' ? entry.token : entry.password;
  if (username !== undefined || given !== undefined)
    return `.credential_helper: can't be combined with username or ${type === 'https_pat' ? 'token' : 'password'}`;
  const allowed = helpers.find(({ name }) => name === helper);
  if (!allowed) return `.credential_helper: isn't listed in credential_helpers; add ${helper} to the list`;
  return {
    ...baseOf(entry),
    type: 'credential_helper',
    as: type,
    program: {
      command: `docker-credential-${helper}`,
      args: ['get'],
      env: programEnvironment(env, allowed.env),
    },
  };
}

type CredentialEntry =
  | { type: 'https_pat' | 'github_token'; token: string; username?: string | undefined }
  | { type: 'ssh_key'; private_key: string; known_hosts: string }
  | { type: 'registry_basic' | 'http_basic'; username: string; password: string }
  | { type: 'http_headers'; headers: Record<string, string> }
  | {
      type: 's3';
      access_key_id: string;
      secret_access_key: string;
      session_token?: string | undefined;
      region?: string | undefined;
    };

function toCredential(
  entry: CredentialEntry & { name: string; hosts: string[]; organizations?: number[] | undefined },
): AgentCredential {
  const base = baseOf(entry);
  switch (entry.type) {
    case 'ssh_key':
      // ssh requires a newline after the last line of a key.
      return {
        ...base,
        type: entry.type,
        privateKey: `${entry.private_key}\n`,
        knownHosts: `${entry.known_hosts}\n`,
      };
    case 'http_headers':
      return { ...base, type: entry.type, headers: entry.headers };
    case 's3':
      return {
        ...base,
        type: entry.type,
        accessKeyId: entry.access_key_id,
        secretAccessKey: entry.secret_access_key,
        sessionToken: entry.session_token ?? null,
        region: entry.region ?? null,
      };
    case 'registry_basic':
    case 'http_basic':
      return { ...base, type: entry.type, username: entry.username, password: entry.password };
    case 'https_pat':
    case 'github_token': {
      const { type, username } = entry;
      return { ...base, type, token: entry.token, ...(username !== undefined && { username }) };
    }
  }
}

function baseOf(entry: { name: string; hosts: string[]; organizations?: number[] | undefined }) {
  // The registry of docker.io is on a second host and requires a token from a third one, so the credential
  // also applies to these hosts.
  const hub = entry.hosts.includes('docker.io') ? ['registry-1.docker.io', 'auth.docker.io'] : [];
  return {
    name: entry.name,
    hosts: [...entry.hosts, ...hub],
    organizations: entry.organizations ?? null,
  };
}

function throwProblems(problems: readonly string[], file: string | null): void {
  if (problems.length > 0)
    throw new ConfigError(problems.map((problem) => (file === null ? problem : `${file}: ${problem}`)));
}

/** Reads a YAML file. JSON is valid YAML. */
function readFile(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    const reason = error instanceof Error ? yamlProblem(error.message.split('\n')[0] ?? '') : '';
    throw new ConfigError([`can't read ${file}: ${reason}`]);
  }
}

/**
 * Validates a configuration and reports all problems together. The messages never contain a configured value.
 *
 * @returns The configuration, and the absolute paths of the files that it consists of.
 */
function check<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  file: string | null,
  env: Env,
  /** Error message for a credential that sets `organizations`. Null if every credential must set it. */
  organizationsProblem: string | null,
): { config: z.output<Schema>; files: string[] } {
  const problems: string[] = [];
  const files = new Set(file === null ? [] : [path.resolve(file)]);
  const unresolved = new Set<string>();
  const resolved = resolveValues(given, [], (at, message) => {
    unresolved.add(formatPath(at));
    problems.push(`${formatPath(at)}: ${message}`);
  });
  const result = schema.safeParse(resolved);
  for (const issue of result.success ? [] : result.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      problems.push(...issue.keys.map((key) => `${formatPath([...issue.path, key])}: unknown field`));
    } else if (!unresolved.has(formatPath(issue.path))) {
      problems.push(`${formatPath(issue.path)}: ${issue.message}`);
    }
  }
  problems.push(...credentialProblems(resolved, organizationsProblem), ...hostProblems(resolved));
  throwProblems(problems, file);
  if (!result.success) throw result.error;
  return { config: result.data, files: [...files] };

  /**
   * Replaces `env:NAME` with an environment variable and `file:/path` with the content of a file. Paths are
   * relative to the directory of the configuration file.
   */
  function resolveValues(
    value: unknown,
    at: PropertyKey[],
    report: (at: PropertyKey[], message: string) => void,
  ): unknown {
    if (Array.isArray(value)) return value.map((item, index) => resolveValues(item, [...at, index], report));
    if (isItem(value)) {
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [key, resolveValues(item, [...at, key], report)]),
      );
    }
    if (typeof value !== 'string') return value;
    const [, kind, name = ''] = /^(env|file):(.+)$/su.exec(value) ?? [];
    if (kind === 'env') {
      const found = env[name];
      if (found === undefined || found.trim() === '') report(at, `environment variable ${name} isn't set`);
      return found ?? '';
    }
    if (kind === 'file') {
      const named = path.resolve(path.dirname(file ?? '.'), name);
      files.add(named);
      try {
        return readFileSync(named, 'utf8');
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'error';
        report(at, `can't read file ${name} (${code})`);
        return '';
      }
    }
    return value;
  }
}

function credentialProblems(given: unknown, organizationsProblem: string | null): string[] {
  const list: unknown = isItem(given) ? given['credentials'] : [];
  const entries: unknown[] = Array.isArray(list) ? list : [];
  const names = entries.map((entry) => (isItem(entry) ? entry['name'] : undefined));
  return entries.flatMap((entry, index) => {
    const hasOrganizations = isItem(entry) && entry['organizations'] !== undefined;
    const isRepeated = typeof names[index] === 'string' && names.indexOf(names[index]) !== index;
    const missing = 'is required: the organization IDs that can use this credential';
    return [
      ...(isRepeated ? [`credentials[${index}].name: duplicate name`] : []),
      ...(hasOrganizations && organizationsProblem !== null
        ? [`credentials[${index}].organizations: ${organizationsProblem}`]
        : []),
      ...(!hasOrganizations && organizationsProblem === null
        ? [`credentials[${index}].organizations: ${missing}`]
        : []),
    ];
  });
}

/**
 * Returns the problems of a configuration with `hosts`. An agent for container hosts can't have other capabilities or
 * credentials.
 */
function hostProblems(given: unknown): string[] {
  if (!isItem(given) || given['hosts'] === undefined) return [];
  const list: unknown = given['hosts'];
  const names = (Array.isArray(list) ? (list as unknown[]) : []).map((entry) =>
    isItem(entry) ? entry['name'] : undefined,
  );
  return [
    ...['capabilities', 'credentials', 'credential_helpers'].flatMap((field) =>
      given[field] === undefined ? [] : [`${field}: can't be combined with hosts; run another agent`],
    ),
    ...names.flatMap((name, index) =>
      typeof name === 'string' && names.indexOf(name) !== index
        ? [`hosts[${index}].name: duplicate name`]
        : [],
    ),
  ];
}

/** Formats the path of a field, for example `credentials[0].hosts`. */
function formatPath(at: readonly PropertyKey[]): string {
  return (
    at.reduce<string>(
      (before, key) =>
        typeof key === 'number'
          ? `${before}[${key}]`
          : before === ''
            ? String(key)
            : `${before}.${String(key)}`,
      '',
    ) || 'the file'
  );
}
