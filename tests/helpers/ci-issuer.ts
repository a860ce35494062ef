import { importJWK, type JWK, type JWTPayload, SignJWT } from 'jose';
import { startLoginProvider } from './login-provider.ts';

/** An OpenID Connect provider on loopback that signs ID tokens of CI jobs, with its real discovery and keys. */
export interface CiIssuer {
  issuer: string;
  keys: JWK[];
  setKeys(keys: JWK[]): void;
  /** Signs a token with the first key, unless another one is given. */
  sign(claims: JWTPayload, options?: { key?: JWK; header?: Record<string, unknown> }): Promise<string>;
}

let count = 0;

export async function startCiIssuer(): Promise<CiIssuer> {
  const provider = await startLoginProvider({
    redirectUris: () => ['https://ci.example.org/sso/corp/callback'],
  });
  return {
    issuer: provider.issuer,
    get keys() {
      return provider.keys;
    },
    setKeys: (keys) => provider.setKeys(keys),
    async sign(claims, { key = provider.keys[0]!, header = {} } = {}) {
      const alg = String(header['alg'] ?? key.alg);
      return new SignJWT(claims)
        .setProtectedHeader({ typ: 'JWT', kid: key.kid!, ...header, alg })
        .sign(await importJWK(key, alg));
    },
  };
}

/** Times and ID of a new token, as all platforms set them. */
export function freshClaims(issuer: string, audience: string): JWTPayload {
  const now = Math.floor(Date.now() / 1_000);
  return {
    iss: issuer,
    aud: audience,
    iat: now,
    nbf: now - 5,
    exp: now + 300,
    jti: `token ${process.pid} ${++count} ${Math.random()}`,
  };
}

/** Claims of a GitHub Actions job. https://docs.github.com/en/actions/reference/security/oidc */
export function gitHubClaims(issuer: string, audience: string): JWTPayload {
  return {
    ...freshClaims(issuer, audience),
    sub: 'repo:acme/checkout:environment:production',
    actor: 'dana',
    actor_id: '12',
    base_ref: '',
    environment: 'production',
    event_name: 'push',
    head_ref: '',
    job_workflow_ref: 'acme/checkout/.github/workflows/deploy.yml@refs/heads/main',
    ref: 'refs/heads/main',
    ref_protected: 'true',
    ref_type: 'branch',
    repository: 'acme/checkout',
    repository_id: '74',
    repository_owner: 'acme',
    repository_owner_id: '65',
    repository_visibility: 'private',
    run_attempt: '2',
    run_id: '8171',
    run_number: '10',
    runner_environment: 'github-hosted',
    sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
    workflow: 'Deploy',
    workflow_ref: 'acme/checkout/.github/workflows/deploy.yml@refs/heads/main',
  };
}

/** Claims of a GitLab CI job. https://docs.gitlab.com/ci/secrets/id_token_authentication/ */
export function gitLabClaims(issuer: string, audience: string): JWTPayload {
  const fresh = freshClaims(issuer, audience);
  return {
    ...fresh,
    exp: fresh.iat! + 3_600,
    sub: 'project_path:acme/checkout:ref_type:branch:ref:main',
    namespace_id: '72',
    namespace_path: 'acme',
    project_id: '20',
    project_path: 'acme/checkout',
    user_id: '1',
    user_login: 'dana',
    user_email: 'dana@example.org',
    user_access_level: 'developer',
    pipeline_id: '574',
    pipeline_source: 'push',
    job_id: '302',
    ref: 'main',
    ref_type: 'branch',
    ref_path: 'refs/heads/main',
    ref_protected: 'true',
    environment: 'production',
    environment_protected: 'true',
    deployment_tier: 'production',
    runner_id: 1,
    runner_environment: 'self-hosted',
    sha: '9fceb02d0ae598e95dc970b74767f19372d61af8',
    project_visibility: 'private',
  };
}
