import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { ConfigError } from '../platform/config.ts';
import { isHostEntry } from '../platform/outbound/index.ts';
import { githubHosts } from '../sources/source-credential.ts';
import { sources } from '../sources/sources.ts';
import type { AgentCredential } from './agent-credential.ts';

/** What an agent may be told to do, and by default does. */
export const agentCapabilities: readonly string[] = [
  ...Object.keys(sources).map((sourceType) => `gather:${sourceType}`),
  'scrape',
  'helm_sync',
];

export interface AgentConfig {
  name: string;
  capabilities: readonly string[];
  credentials: readonly AgentCredential[];
}

export interface RemoteAgentConfig extends AgentConfig {
  serverUrl: string;
  apiKey: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The configuration of an agent of its own: the file, if there is one, and for what does not stand in it
 * `PACEKEEPER_SERVER_URL` and `PACEKEEPER_API_KEY`. @throws ConfigError with everything that is wrong.
 */
export function readAgentConfig(file: string | null, env: Env): RemoteAgentConfig {
  const given: unknown = file === null ? {} : readFile(file);
  const withEnv = isRecord(given)
    ? {
        server: env['PACEKEEPER_SERVER_URL']?.trim() || undefined,
        api_key: env['PACEKEEPER_API_KEY']?.trim() || undefined,
        ...given,
      }
    : given;
  const config = check(
    remoteFile,
    withEnv,
    file,
    env,
    "isn't allowed here; a remote agent serves its API key's organization",
  );
  return {
    serverUrl: config.server.replace(/\/+$/, ''),
    apiKey: config.api_key,
    name: config.name ?? (hostname().slice(0, 200) || 'agent'),
    capabilities: config.capabilities,
    credentials: config.credentials,
  };
}

/** The configuration of the embedded agent; without a file it has no credentials. @throws ConfigError */
export function readEmbeddedAgentConfig(file: string | null, env: Env): AgentConfig {
  const config = check(embeddedFile, file === null ? {} : readFile(file), file, env, null);
  return { ...config, name: 'embedded' };
}

const text = (max: number) =>
  z.string().trim().min(1, 'must not be empty').max(max, `must be at most ${max} characters`);
const secret = text(65_536);

const hosts = z
  .array(
    z.string().refine(isHostEntry, 'must be a host or host:port'),
    'is required: the hosts this credential can be sent to',
  )
  .min(1, 'must list at least one host');

const organizations = z
  .array(z.int().min(1), 'is required: the organization IDs that can use this credential')
  .min(1, 'must list at least one organization');

const common = { name: text(200), organizations: organizations.optional() };
const token = { token: secret, username: text(200).optional() };

const credentials = z
  .array(
    z.discriminatedUnion(
      'type',
      [
        z.strictObject({ ...common, type: z.literal('https_pat'), hosts, ...token }),
        z.strictObject({
          ...common,
          type: z.literal('github_token'),
          hosts: hosts.default([...githubHosts]),
          ...token,
        }),
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
          username: text(200),
          password: secret,
        }),
      ],
      'must be https_pat, ssh_key, registry_basic, or github_token',
    ),
  )
  .max(500)
  .default([])
  .transform((list) => list.map(toCredential));

const capabilities = z
  .array(z.enum(agentCapabilities, `must be one of ${agentCapabilities.join(', ')}`))
  .min(1)
  .default([...agentCapabilities]);

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
  credentials,
});

const embeddedFile = z.strictObject({ capabilities, credentials });

type CredentialEntry =
  | { type: 'https_pat' | 'github_token'; token: string; username?: string | undefined }
  | { type: 'ssh_key'; private_key: string; known_hosts: string }
  | { type: 'registry_basic'; username: string; password: string };

function toCredential(
  entry: CredentialEntry & { name: string; hosts: string[]; organizations?: number[] | undefined },
): AgentCredential {
  // Images of docker.io are listed by one host, which lets nobody in without a token of another.
  const hub = entry.hosts.includes('docker.io') ? ['registry-1.docker.io', 'auth.docker.io'] : [];
  const whose = {
    name: entry.name,
    hosts: [...entry.hosts, ...hub],
    organizations: entry.organizations ?? null,
  };
  switch (entry.type) {
    case 'ssh_key':
      // ssh wants a line end behind the last line.
      return {
        ...whose,
        type: entry.type,
        privateKey: `${entry.private_key}\n`,
        knownHosts: `${entry.known_hosts}\n`,
      };
    case 'registry_basic':
      return { ...whose, type: entry.type, username: entry.username, password: entry.password };
    case 'https_pat':
    case 'github_token': {
      const { type, username } = entry;
      return { ...whose, type, token: entry.token, ...(username !== undefined && { username }) };
    }
  }
}

/** YAML, of which JSON is a part. */
function readFile(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8')) ?? {};
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : '';
    throw new ConfigError([`can't read ${file}: ${reason}`]);
  }
}

/** All problems at once; none of them shows a value. */
function check<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
  file: string | null,
  env: Env,
  /** What is wrong with `organizations` in a credential; null where each must have them. */
  organizationsProblem: string | null,
): z.output<Schema> {
  const problems: string[] = [];
  const unresolved = new Set<string>();
  const resolved = resolveValues(given, [], (at, message) => {
    unresolved.add(place(at));
    problems.push(`${place(at)}: ${message}`);
  });
  const result = schema.safeParse(resolved);
  for (const issue of result.success ? [] : result.error.issues) {
    if (issue.code === 'unrecognized_keys') {
      problems.push(...issue.keys.map((key) => `${place([...issue.path, key])}: unknown field`));
    } else if (!unresolved.has(place(issue.path))) {
      problems.push(`${place(issue.path)}: ${issue.message}`);
    }
  }
  problems.push(...credentialProblems(resolved, organizationsProblem));
  if (problems.length > 0 || !result.success) {
    throw new ConfigError(file === null ? problems : problems.map((problem) => `${file}: ${problem}`));
  }
  return result.data;

  /** `env:NAME` stands for a variable, `file:/path` for the content of a file, from the folder of the configuration. */
  function resolveValues(
    value: unknown,
    at: PropertyKey[],
    report: (at: PropertyKey[], message: string) => void,
  ): unknown {
    if (Array.isArray(value)) return value.map((item, index) => resolveValues(item, [...at, index], report));
    if (isRecord(value)) {
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
      try {
        return readFileSync(path.resolve(path.dirname(file ?? '.'), name), 'utf8');
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
  const list: unknown = isRecord(given) ? given['credentials'] : [];
  const entries: unknown[] = Array.isArray(list) ? list : [];
  const names = entries.map((entry) => (isRecord(entry) ? entry['name'] : undefined));
  return entries.flatMap((entry, index) => {
    const hasOrganizations = isRecord(entry) && entry['organizations'] !== undefined;
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

/** `credentials[0].hosts` */
function place(at: readonly PropertyKey[]): string {
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
