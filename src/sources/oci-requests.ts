import { type OciReference, registryHost } from '../domain/artifacts/oci-reference.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { type ReadBody, readWhole } from './body-reader.ts';
import { maxParsedHeader } from './link-header.ts';
import type { SourceGetOptions, SourceHttp, SourceResponse } from './source-http.ts';

/** Sends requests to one repository of a registry, with a token if the registry requires one. */
export interface OciRequests {
  /**
   * Sends a request. Throws RunErrors.
   *
   * @param path Path below `/v2/NAME/`, or the URL in the `Link` header of `from`.
   */
  get(path: string, options: OciGetOptions): Promise<SourceResponse>;
}

export interface OciGetOptions {
  method?: SourceGetOptions['method'];
  accept: string;
  maxBytes: number;
  validators?: SourceGetOptions['validators'];
  timeoutMs?: number;
  /** Page whose `Link` header contains `path`. */
  from?: SourceResponse;
}

/**
 * Creates a client for one repository. Registries require a token, which is available to anyone for public
 * repositories: a 401 contains the URL (`realm`) that issues it. The URL receives the job's credential only
 * if the credential is for its host.
 */
export function createOciRequests(http: SourceHttp, read: ReadBody, reference: OciReference): OciRequests {
  const host = registryHost(reference.domain);
  const base = `${http.schemeFor(host)}://${host}/v2/${reference.path}/`;
  const what = `the repository ${reference.path}`;
  let token: string | null = null;
  const actions = new Set(['pull']);

  async function get(path: string, options: OciGetOptions): Promise<SourceResponse> {
    const url = options.from ? path : `${base}${path}`;
    const request: SourceGetOptions = { ...options, what };
    const first = await http.get(url, { ...withToken(request), acceptStatuses: [401] });
    if (first.status !== 401) return first;
    // Request a new token: tokens expire after a few minutes, but reading a list with many pages can take longer.
    const challenge = readChallenge(first.headers['www-authenticate']);
    if (challenge) token = await fetchToken(challenge, first);
    try {
      // A 401 with the new token fails the run.
      return await http.get(url, withToken(request));
    } catch (error) {
      if (!challenge || !(error instanceof RunError) || error.code !== 'unauthorized') throw error;
      throw new RunError(
        'unauthorized',
        `${new URL(first.url).host} denied access to ${what}. The repository doesn't exist, or it's private and needs a registry_basic credential with read access.`,
        { cause: error },
      );
    }
  }

  function withToken(request: SourceGetOptions): SourceGetOptions {
    return token === null ? request : { ...request, headers: { authorization: `Bearer ${token}` } };
  }

  async function fetchToken(challenge: Challenge, rejected: SourceResponse): Promise<string> {
    const registry = new URL(rejected.url);
    const realm = URL.canParse(challenge.realm) ? new URL(challenge.realm) : null;
    if (!realm) {
      throw new RunError(
        'target_not_allowed',
        `${registry.host} names a token endpoint without a host (realm="${challenge.realm.slice(0, 200)}"). Configure the realm of the registry as a full URL.`,
      );
    }
    if (realm.protocol !== 'https:' && realm.protocol !== registry.protocol) {
      throw new RunError('target_not_allowed', `${registry.host} uses a token endpoint that isn't allowed.`);
    }
    realm.username = '';
    realm.password = '';
    if (challenge.service !== null) realm.searchParams.set('service', challenge.service);
    for (const action of readActions(challenge.scope, reference.path)) actions.add(action);
    realm.searchParams.set('scope', `repository:${reference.path}:${[...actions].join(',')}`);
    const isTrusted = rejected.isSameOrigin;
    const answer = await http.get(realm.href, {
      what: `a token for ${reference.path}`,
      accept: 'application/json',
      maxBytes: 1024 * 1024,
      // No credentials are sent if a redirect led to another origin.
      ...(isTrusted ? {} : { from: rejected }),
    });
    const { token: newToken } = await readWhole(
      read('oci_token', { host: realm.host, what: 'a token' }, answer.body),
    );
    if (newToken === null) {
      throw new RunError('invalid_index', `${realm.host} didn't return a token.`);
    }
    return newToken;
  }

  return { get };
}

interface Challenge {
  realm: string;
  service: string | null;
  scope: string | null;
}

/** Actions that only read. Azure requires `metadata_read` for tag lists. */
const readOnlyActions: readonly string[] = ['pull', 'metadata_read'];

/**
 * Returns the actions that a challenge requires, if they only read this repository. Otherwise, a malicious
 * registry could make the client fetch a token for another repository, or a token that can write, and would
 * receive it.
 */
function readActions(scope: string | null, path: string): string[] {
  return (scope ?? '').split(/\s+/u).flatMap((part) => {
    const [, name, actions = ''] = /^repository:(.+):([^:]*)$/u.exec(part) ?? [];
    return name === path ? actions.split(',').filter((action) => readOnlyActions.includes(action)) : [];
  });
}

/** Matches a parameter of a challenge, or a word that isn't a parameter, such as the name of a scheme. */
const challengePart = /[\s,]*(?:([a-z_]+)\s*=\s*(?:"([^"]*)"|([^\s,"]+))|([^\s,]+))/giuy;

/**
 * Parses `Bearer realm="https://auth…/token",service="registry…",scope="…"`. Returns `null` for any other scheme, and
 * for a header that is too long to be parsed.
 */
export function readChallenge(header = ''): Challenge | null {
  if (header.length > maxParsedHeader) return null;
  let scheme = '';
  const values = new Map<string, string>();
  for (const [, name, quoted, plain, word] of header.matchAll(challengePart)) {
    if (word !== undefined) {
      // The parameters of a scheme end where the next scheme starts.
      if (scheme === 'bearer') break;
      scheme = word.toLowerCase();
    } else if (scheme === 'bearer' && name !== undefined && !values.has(name.toLowerCase()))
      values.set(name.toLowerCase(), quoted ?? plain ?? '');
  }
  const realm = values.get('realm');
  return realm === undefined
    ? null
    : { realm, service: values.get('service') ?? null, scope: values.get('scope') ?? null };
}
