import { createRemoteJWKSet, errors as joseErrors, customFetch as joseFetch, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { type Claims, findClaim } from '../../../domain/sign-on/provider-claims.ts';
import type { SignOnErrorCode } from '../../../domain/sign-on/sign-on-errors.ts';
import { type OutboundClient, OutboundError } from '../../../platform/outbound/index.ts';
import type { ProviderSettings } from './provider-file.ts';
import { SignOnError } from './sign-on-error.ts';

/** What a provider said of a person, checked: signature, issuer, audience, times, nonce. */
export interface ProviderAnswer {
  issuer: string;
  subject: string;
  claims: Claims;
  /** Of the provider; null when it issued none. */
  refreshToken: string | null;
  /** The provider's session; null when it has no name for it. */
  sessionId: string | null;
}

export interface AuthorizationChecks {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A logout that a provider sent. One of `subject` and `sessionId` is there. */
export interface ProviderLogout {
  issuer: string;
  subject: string | null;
  sessionId: string | null;
}

export interface ProviderConnection {
  settings: ProviderSettings;
  /** Where browsers come back to. A provider of its own address can't pass off its answers as those of another. */
  redirectUri: string;
  authorizationUrl(checks: AuthorizationChecks): Promise<URL>;
  /** @param query what the browser came back with */
  exchange(query: URLSearchParams, checks: AuthorizationChecks): Promise<ProviderAnswer>;
  /** Confirms the person with a refresh token. Null if the provider no longer accepts it. */
  refresh(refreshToken: string, subject: string): Promise<ProviderAnswer | null>;
  /**
   * Where the browser logs out of the provider as well; null when it has no such address. It names this client, and not
   * the person by an ID token: browsers keep addresses.
   */
  logoutUrl(): Promise<URL | null>;
  /** Checks the token of a back-channel logout. Null when it isn't one. */
  readLogoutToken(token: string): Promise<ProviderLogout | null>;
  /** Reads the provider's addresses and keys, for `doctor`. */
  check(): Promise<void>;
}

export interface ConnectionDeps {
  outbound: Pick<OutboundClient, 'request'>;
  /** Of this server. */
  baseUrl: string;
}

/** Of one request to a provider. */
const timeoutMs = 10_000;
const maxBytes = 1_048_576;
/** How long a provider's addresses are kept, and how long a failure is: starting a login needs no credentials. */
const keepMs = 10 * 60_000;
const keepFailureMs = 5_000;

const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

export function createProviderConnection(
  settings: ProviderSettings,
  { outbound, baseUrl }: ConnectionDeps,
): ProviderConnection {
  const redirectUri = `${baseUrl}/sso/${settings.id}/callback`;
  const fetchGuarded = guardedFetch(outbound);
  // The guard decides which hosts can be reached without TLS. A provider with TLS never falls back to addresses without.
  const isPlain = new URL(settings.issuer).protocol === 'http:';
  const execute = isPlain ? [oidc.allowInsecureRequests] : [];
  let kept: { at: number; metadata: Promise<oidc.ServerMetadata>; hasFailed: boolean } | undefined;

  function readMetadata(): Promise<oidc.ServerMetadata> {
    const age = kept === undefined ? Number.POSITIVE_INFINITY : performance.now() - kept.at;
    if (kept !== undefined && age < (kept.hasFailed ? keepFailureMs : keepMs)) return kept.metadata;
    const metadata = oidc
      .discovery(new URL(settings.issuer), settings.clientId, undefined, oidc.None(), {
        [oidc.customFetch]: fetchGuarded,
        execute,
        timeout: timeoutMs / 1_000,
      })
      .then((configuration) => {
        const found = configuration.serverMetadata();
        // An identity is kept under the issuer, which has to be the configured one to the letter.
        if (found.issuer !== settings.issuer) throw new SignOnError('response_invalid', 'another issuer');
        return found;
      });
    const entry = { at: performance.now(), metadata, hasFailed: false };
    metadata.catch(() => (entry.hasFailed = true));
    kept = entry;
    return metadata;
  }

  let keptKeys: { uri: string; keys: ReturnType<typeof createRemoteJWKSet> } | undefined;

  /** Kept, because anyone can send tokens: keys that are unknown are looked up again only after a pause. */
  function keysAt(uri: string): ReturnType<typeof createRemoteJWKSet> {
    if (keptKeys?.uri !== uri) {
      const url = new URL(uri);
      if (url.protocol !== 'https:' && !isPlain)
        throw new SignOnError('response_invalid', 'the keys have no https:// URL');
      const options = { [joseFetch]: fetchGuarded, timeoutDuration: timeoutMs };
      keptKeys = { uri, keys: createRemoteJWKSet(url, options) };
    }
    return keptKeys.keys;
  }

  /** Made for each login, so that the provider's keys are those of now: rotated ones work immediately. */
  async function connect(): Promise<oidc.Configuration> {
    const metadata = await readMetadata();
    const configuration = new oidc.Configuration(
      metadata,
      settings.clientId,
      settings.clientSecret === null ? {} : { client_secret: settings.clientSecret },
      clientAuthentication(settings.clientSecret, metadata),
    );
    configuration[oidc.customFetch] = fetchGuarded;
    configuration.timeout = timeoutMs / 1_000;
    // Without this, the signature would be taken on trust because the token came over TLS.
    oidc.enableNonRepudiationChecks(configuration);
    if (isPlain) oidc.allowInsecureRequests(configuration);
    return configuration;
  }

  /** The claims of the ID token, completed by the user information where the token lacks what is asked for. */
  async function answerOf(
    configuration: oidc.Configuration,
    tokens: oidc.TokenEndpointResponse & oidc.TokenEndpointResponseHelpers,
    expectedSubject: string | null,
  ): Promise<ProviderAnswer> {
    const idClaims = tokens.claims();
    const subject = idClaims?.sub ?? expectedSubject;
    if (subject === null || (expectedSubject !== null && subject !== expectedSubject))
      throw new SignOnError('response_invalid', 'another subject');
    const needed = [settings.groupsClaim, 'email', ...Object.keys(settings.requiredClaims)];
    const isComplete = idClaims && needed.every((name) => findClaim(idClaims, name) !== undefined);
    const hasUserInfo = configuration.serverMetadata().userinfo_endpoint !== undefined;
    const more =
      isComplete || !hasUserInfo ? {} : await oidc.fetchUserInfo(configuration, tokens.access_token, subject);
    const sessionId = idClaims?.['sid'];
    return {
      issuer: settings.issuer,
      subject,
      claims: { ...more, ...idClaims },
      refreshToken: tokens.refresh_token ?? null,
      sessionId: typeof sessionId === 'string' ? sessionId.slice(0, 500) : null,
    };
  }

  return {
    settings,
    redirectUri,

    async authorizationUrl({ state, nonce, codeVerifier }) {
      return explained(async () => {
        const url = oidc.buildAuthorizationUrl(await connect(), {
          ...settings.parameters,
          redirect_uri: redirectUri,
          scope: settings.scopes.join(' '),
          state,
          nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        });
        if (url.protocol !== 'https:' && !(isPlain && url.protocol === 'http:'))
          throw new SignOnError('response_invalid', 'the authorization endpoint has no https:// URL');
        return url;
      });
    },

    async exchange(query, { state, nonce, codeVerifier }) {
      return explained(async () => {
        const url = new URL(redirectUri);
        url.search = query.toString();
        const configuration = await connect();
        const tokens = await oidc.authorizationCodeGrant(configuration, url, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        return answerOf(configuration, tokens, null);
      });
    },

    async refresh(refreshToken, subject) {
      return explained(async () => {
        const configuration = await connect();
        try {
          const tokens = await oidc.refreshTokenGrant(configuration, refreshToken);
          return await answerOf(configuration, tokens, subject);
        } catch (error) {
          if (error instanceof oidc.ResponseBodyError && error.status < 500 && error.status !== 429)
            return null;
          if (error instanceof oidc.WWWAuthenticateChallengeError) return null;
          throw error;
        }
      });
    },

    async logoutUrl() {
      return explained(async () => {
        const configuration = await connect();
        if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
        return oidc.buildEndSessionUrl(configuration, {
          post_logout_redirect_uri: `${baseUrl}/login?logged_out=yes`,
        });
      });
    },

    async readLogoutToken(token) {
      const { jwks_uri: jwksUri, id_token_signing_alg_values_supported: listed } =
        await explained(readMetadata);
      if (jwksUri === undefined) return null;
      const keys = keysAt(jwksUri);
      try {
        const { payload } = await jwtVerify(token, keys, {
          issuer: settings.issuer,
          audience: settings.clientId,
          algorithms: (listed ?? ['RS256']).filter((name) => /^(RS|PS|ES|Ed)/.test(name)),
          requiredClaims: ['iat', 'jti', 'events'],
          maxTokenAge: '10 min',
          clockTolerance: 60,
        });
        const { events, sub, sid } = payload;
        const isLogout = typeof events === 'object' && events !== null && Object.hasOwn(events, logoutEvent);
        // An ID token must not be accepted as one.
        if (!isLogout || payload['nonce'] !== undefined) return null;
        const subject = typeof sub === 'string' ? sub : null;
        const sessionId = typeof sid === 'string' ? sid : null;
        return subject === null && sessionId === null
          ? null
          : { issuer: settings.issuer, subject, sessionId };
      } catch (error) {
        if (error instanceof joseErrors.JOSEError) return null;
        throw explain(error);
      }
    },

    async check() {
      kept = undefined;
      await explained(async () => {
        const { jwks_uri: jwksUri } = (await connect()).serverMetadata();
        if (jwksUri === undefined) throw new SignOnError('response_invalid', 'it has no jwks_uri');
        const response = await fetchGuarded(jwksUri);
        if (!response.ok) throw new SignOnError('response_invalid', `its keys returned ${response.status}`);
      });
    },
  };
}

/** As the provider supports it; the first is the default of the specification. */
function clientAuthentication(secret: string | null, metadata: oidc.ServerMetadata): oidc.ClientAuth {
  if (secret === null) return oidc.None();
  const supported = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return supported.includes('client_secret_basic') || !supported.includes('client_secret_post')
    ? oidc.ClientSecretBasic(secret)
    : oidc.ClientSecretPost(secret);
}

/** `fetch` through the guard: limited in size and time, without redirects. */
function guardedFetch(outbound: Pick<OutboundClient, 'request'>) {
  return async (url: string, options: { method?: string; headers?: unknown; body?: unknown } = {}) => {
    const { method = 'GET', headers, body } = options;
    const {
      status,
      headers: given,
      body: bytes,
    } = await outbound.request({
      url,
      purpose: 'source',
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(new Headers(headers as Record<string, string>)),
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      timeoutMs,
      maxBytes,
    });
    const answered = Object.entries(given).filter(
      ([name]) => !/^(content-encoding|content-length)$/.test(name),
    );
    const hasBody = status !== 204 && status !== 304;
    return new Response(hasBody ? Buffer.from(bytes) : null, {
      status,
      headers: answered as [string, string][],
    });
  };
}

async function explained<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw explain(error);
  }
}

/** The error for the person and, as its cause, the one for the log. */
function explain(error: unknown): SignOnError {
  if (error instanceof SignOnError) return error;
  return new SignOnError(codeOf(error), reasonOf(error), error);
}

function codeOf(error: unknown): SignOnErrorCode {
  if (error instanceof oidc.AuthorizationResponseError) return 'provider_refused';
  if (isUnreachable(error)) return 'provider_unavailable';
  return 'response_invalid';
}

function isUnreachable(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each instanceof OutboundError) return true;
    if (each instanceof oidc.ResponseBodyError && each.status >= 500) return true;
    if (each instanceof oidc.ClientError && (each.code === 'OAUTH_TIMEOUT' || each.code === 'OAUTH_ABORT'))
      return true;
    if (each instanceof oidc.ClientError && each.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM') return true;
  }
  return false;
}

/** In a sentence for the log; never a token. */
function reasonOf(error: unknown): string {
  const messages: string[] = [];
  for (let each = error; each instanceof Error && messages.length < 3; each = each.cause)
    messages.push(each.message);
  return messages.join(': ').slice(0, 500);
}
