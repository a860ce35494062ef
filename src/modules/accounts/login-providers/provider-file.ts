import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isItem } from '../../../domain/json/json-item.ts';
import { groupRoles } from '../../../domain/sign-on/group-roles.ts';
import { type GroupsShape, usualEmailClaims } from '../../../domain/sign-on/provider-claims.ts';
import { yamlProblem } from '../../../domain/text/yaml-problem.ts';
import { ConfigError } from '../../../platform/config.ts';

/** Settings of a login provider, as configured by the operator. */
export interface ProviderSettings {
  /** Part of the provider's URLs, such as `/sso/<id>/callback`. */
  id: string;
  /** Name on the login button. */
  name: string;
  issuer: string;
  clientId: string;
  /** Null for a client without a secret. PKCE is always used. */
  clientSecret: string | null;
  scopes: readonly string[];
  /** Additional parameters of the authorization request, such as `access_type`. */
  parameters: Readonly<Record<string, string>>;
  groupsClaim: string;
  groupsShape: GroupsShape;
  /** Claims that can contain the email address, in order. */
  emailClaims: readonly string[];
  /** Authentication method of the client. Null selects a method that the provider supports. */
  clientAuthentication: ClientAuthentication | null;
  groups: readonly GroupSettings[];
  requiredClaims: Readonly<Record<string, readonly string[]>>;
  /** True if people without an account get one when they log in. */
  createsAccounts: boolean;
  /** True if email addresses are treated as verified even if the provider doesn't report them as verified. */
  trustsEmail: boolean;
  /** True if logging out of Pacekeeper also ends the session at the provider. */
  endsProviderSession: boolean;
}

export interface GroupSettings {
  group: string;
  /** ID of the organization, or a name that only one organization has. */
  organization: number | string;
  role: (typeof groupRoles)[number];
}

/** Methods by which the server authenticates to the provider, with the names of OpenID Connect Discovery. */
const clientAuthentications = [
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'none',
] as const;
export type ClientAuthentication = (typeof clientAuthentications)[number];

const text = (max: number) =>
  z
    .string('must be a string')
    .trim()
    .min(1, 'must not be empty')
    .max(max, `must be at most ${max} characters`);

const provider = z
  .strictObject({
    id: z
      .string('is required')
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'must be lowercase letters, digits, and dashes'),
    name: text(80).optional(),
    issuer: z
      .url({ protocol: /^https?$/, error: 'is required: the issuer URL, such as https://login.example.com' })
      .refine((url) => !/[?#]/.test(url), 'must have no query or fragment'),
    client_id: text(500),
    client_secret: text(5_000).optional(),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+$/, 'must be a scope'))
      .max(50)
      .default(['openid', 'profile', 'email'])
      .refine((scopes) => scopes.includes('openid'), 'must include openid'),
    parameters: z.record(text(100), text(1_000)).default({}),
    groups_claim: text(200).default('groups'),
    groups_separator: z
      .string('must be a string')
      .min(1, 'must not be empty')
      .max(10, 'must be at most 10 characters')
      .optional(),
    groups_field: text(200).optional(),
    email_claim: z
      .union(
        [text(200), z.array(text(200)).min(1, 'must name a claim').max(10)],
        'must be a claim or a list of claims',
      )
      .transform((value) => [value].flat())
      .default(usualEmailClaims),
    token_endpoint_auth_method: z
      .enum(clientAuthentications, `must be ${clientAuthentications.join(', ')}`)
      .optional(),
    groups: z
      .array(
        z.strictObject({
          group: text(500),
          organization: z.union([z.int().min(2), text(200)], 'must be an organization ID or name'),
          role: z.enum(groupRoles, `must be ${groupRoles.join(', ')}; groups can't assign the owner role`),
        }),
      )
      .max(1_000)
      .default([]),
    required_claims: z
      .record(
        text(200),
        z.union([text(500), z.array(text(500)).min(1).max(100)]).transform((value) => [value].flat()),
      )
      .default({}),
    create_accounts: z.boolean().default(true),
    trust_email: z.boolean().default(false),
    end_provider_session: z.boolean().default(false),
  })
  .transform(
    (given): ProviderSettings => ({
      id: given.id,
      name: given.name ?? given.id,
      issuer: given.issuer,
      clientId: given.client_id,
      clientSecret: given.client_secret ?? null,
      scopes: given.scopes,
      parameters: given.parameters,
      groupsClaim: given.groups_claim,
      groupsShape: { separator: given.groups_separator ?? null, field: given.groups_field ?? null },
      emailClaims: given.email_claim,
      clientAuthentication: given.token_endpoint_auth_method ?? null,
      groups: given.groups,
      requiredClaims: given.required_claims,
      createsAccounts: given.create_accounts,
      trustsEmail: given.trust_email,
      endsProviderSession: given.end_provider_session,
    }),
  );

/**
 * Parameters that the operator can't set, because Pacekeeper sets them or because they would change the login
 * flow.
 */
const ownParameters = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'request',
  'request_uri',
]);

const file = z.strictObject({
  providers: z
    .array(provider, 'is required: the login providers')
    .min(1, 'must list at least one login provider')
    .max(20)
    .superRefine((providers, context) => {
      for (const [index, each] of providers.entries()) {
        const earlier = providers.slice(0, index);
        if (earlier.some(({ id }) => id === each.id))
          context.addIssue({ code: 'custom', path: [index, 'id'], message: 'is used twice' });
        // A person's identity is an issuer and a subject, so two providers with the same issuer would share
        // identities.
        if (earlier.some(({ issuer }) => issuer === each.issuer))
          context.addIssue({ code: 'custom', path: [index, 'issuer'], message: 'is used twice' });
        const method = each.clientAuthentication;
        if (method !== null && method !== 'none' && each.clientSecret === null)
          context.addIssue({
            code: 'custom',
            path: [index, 'token_endpoint_auth_method'],
            message: 'requires a client_secret',
          });
        for (const name of Object.keys(each.parameters).filter((name) => ownParameters.has(name)))
          context.addIssue({
            code: 'custom',
            path: [index, 'parameters', name],
            message: 'is set by Pacekeeper',
          });
      }
    }),
});

/**
 * Reads the login providers in `PACEKEEPER_OIDC_FILE` (YAML or JSON).
 * @throws ConfigError that lists all problems without showing any values
 */
export function readProviderFile(
  name: string,
  env: Readonly<Record<string, string | undefined>> = process.env,
): ProviderSettings[] {
  const given = readYaml(name);
  const problems: string[] = [];
  const result = file.safeParse(withSecrets(given, name, env, problems));
  for (const issue of result.success ? [] : result.error.issues) {
    if (issue.code === 'unrecognized_keys')
      problems.push(...issue.keys.map((key) => `${place([...issue.path, key])}: unknown field`));
    else problems.push(`${place(issue.path)}: ${issue.message}`);
  }
  if (problems.length > 0 || !result.success)
    throw new ConfigError(problems.map((problem) => `${name}: ${problem}`));
  return result.data.providers;
}

function readYaml(name: string): unknown {
  try {
    return parse(readFileSync(name, 'utf8'), { maxAliasCount: 100 }) ?? {};
  } catch (error) {
    const reason = error instanceof Error ? yamlProblem(error.message.split('\n')[0] ?? '') : '';
    throw new ConfigError([`PACEKEEPER_OIDC_FILE: can't read ${name}: ${reason}`]);
  }
}

/**
 * Resolves secrets as in the agent configuration: `env:NAME` refers to an environment variable and
 * `file:path` to the content of a file.
 */
function withSecrets(
  given: unknown,
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  problems: string[],
): unknown {
  if (!isItem(given) || !Array.isArray(given['providers'])) return given;
  const providers = given['providers'].map((each: unknown, index) => {
    if (!isItem(each)) return each;
    const { client_secret: secret, ...rest } = each;
    if (typeof secret !== 'string') return each;
    const resolved = resolveSecret(secret, path.dirname(name), env);
    if (resolved !== null) return { ...rest, client_secret: resolved };
    problems.push(`${place(['providers', index, 'client_secret'])}: ${secret.split(':')[0]} can't be read`);
    return rest;
  });
  return { ...given, providers };
}

function resolveSecret(
  secret: string,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const [, kind, name = ''] = /^(env|file):(.+)$/su.exec(secret) ?? [];
  if (kind === undefined) return secret;
  if (kind === 'env') return env[name]?.trim() || null;
  try {
    return readFileSync(path.resolve(folder, name), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** Formats the path of a field, such as `providers[0].issuer`. */
function place(at: readonly PropertyKey[]): string {
  return at
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
