import { type OciReference, registryHost } from '../domain/artifacts/oci-reference.ts';
import { RunError } from '../domain/runs/run-error.ts';
import { type ReadBody, readWhole } from './body-reader.ts';
import type { SourceAnswer, SourceGetOptions, SourceHttp } from './source-http.ts';

/** Requests to one repository of a registry, with a token if the registry requires one. */
export interface OciRequests {
  /** @param path below `/v2/NAME/`, or what a `Link` of `from` says. Throws RunErrors. */
  get(path: string, options: OciGetOptions): Promise<SourceAnswer>;
}

export interface OciGetOptions {
  method?: SourceGetOptions['method'];
  accept: string;
  maxBytes: number;
  validators?: SourceGetOptions['validators'];
  timeoutMs?: number;
  /** The page whose `Link` `path` is. */
  from?: SourceAnswer;
}

/**
 * Registries require a token, which anyone gets for public repositories: a 401 contains the address (`realm`) that
 * issues it. That address receives the credential of the job only if the credential is for its host.
 */
export function createOciRequests(http: SourceHttp, read: ReadBody, reference: OciReference): OciRequests {
  const host = registryHost(reference.domain);
  const base = `${http.schemeFor(host)}://${host}/v2/${reference.path}/`;
  const what = `the repository ${reference.path}`;
  let token: string | null = null;

  async function get(path: string, options: OciGetOptions): Promise<SourceAnswer> {
    const url = options.from ? path : `${base}${path}`;
    const request: SourceGetOptions = { ...options, what };
    const first = await http.get(url, { ...withToken(request), acceptStatuses: [401] });
    if (first.status !== 401) return first;
    // A token is valid for a few minutes; a list of many pages can take longer.
    const challenge = readChallenge(first.headers['www-authenticate']);
    if (challenge) token = await fetchToken(challenge, first);
    try {
      // If access is denied now, the run fails.
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

  async function fetchToken(challenge: Challenge, refused: SourceAnswer): Promise<string> {
    const registry = new URL(refused.url);
    const realm = URL.canParse(challenge.realm) ? new URL(challenge.realm) : null;
    if (!realm || (realm.protocol !== 'https:' && realm.protocol !== registry.protocol)) {
      throw new RunError('target_not_allowed', `${registry.host} uses a token endpoint that isn't allowed.`);
    }
    realm.username = '';
    realm.password = '';
    if (challenge.service !== null) realm.searchParams.set('service', challenge.service);
    // Not the scope that the answer names: it decides what the token opens, and to whom it is shown.
    realm.searchParams.set('scope', `repository:${reference.path}:pull`);
    const isTrusted = refused.isSameOrigin;
    const answer = await http.get(realm.href, {
      what: `a token for ${reference.path}`,
      accept: 'application/json',
      maxBytes: 1024 * 1024,
      // Nothing is sent along from an origin that a redirect led to.
      ...(isTrusted ? {} : { from: refused }),
    });
    const { token: given } = await readWhole(
      read('oci_token', { host: realm.host, what: 'a token' }, answer.body),
    );
    if (given === null) {
      throw new RunError('invalid_index', `${realm.host} didn't return a token.`);
    }
    return given;
  }

  return { get };
}

interface Challenge {
  realm: string;
  service: string | null;
}

/** `Bearer realm="https://auth…/token",service="registry…",scope="…"`; null for any other kind. */
function readChallenge(header: string | undefined): Challenge | null {
  const [, parameters = ''] = /(?:^|,\s*)bearer\s+(.+)$/iu.exec(header ?? '') ?? [];
  const values = new Map<string, string>();
  for (const [, name = '', quoted, plain] of parameters.matchAll(
    /([a-z_]+)\s*=\s*(?:"([^"]{0,2000})"|([^\s,"]{1,2000}))/giu,
  )) {
    if (!values.has(name.toLowerCase())) values.set(name.toLowerCase(), quoted ?? plain ?? '');
  }
  const realm = values.get('realm');
  return realm === undefined ? null : { realm, service: values.get('service') ?? null };
}
