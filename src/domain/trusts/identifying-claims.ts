import { segmentsOf } from './trust-pattern.ts';

/** Patterns that the claims of an ID token must match, by the name of the claim. */
export type ClaimPatterns = Readonly<Record<string, string>>;

/** Claims that are checked for every token, so a trust can't contain patterns for them. */
const checkedClaims: readonly string[] = ['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'];

/**
 * Number of first segments that must be exact, by claim. Later segments can contain `*`. `all` means that no
 * segment can contain `*`.
 */
type Identifying = Readonly<Record<string, number | 'all'>>;

/** https://docs.github.com/en/actions/reference/security/oidc */
const gitHubClaims: Identifying = {
  repository: 1,
  repository_id: 'all',
  repository_owner: 'all',
  repository_owner_id: 'all',
  // For example `repo:acme/checkout:environment:production`.
  sub: 2,
};

/**
 * Claims with which the subject of a GitHub token can begin so that it identifies an owner. Each repository can choose the
 * claims of its subjects, so other beginnings, such as `job_workflow_ref`, are the same for everyone.
 */
const gitHubSubjects: ReadonlySet<string> = new Set([
  'repo',
  'repository',
  'repository_id',
  'repository_owner',
  'repository_owner_id',
]);

/** https://docs.gitlab.com/ci/secrets/id_token_authentication/ */
const gitLabClaims: Identifying = {
  project_path: 1,
  project_id: 'all',
  namespace_path: 1,
  namespace_id: 'all',
  // For example `project_path:acme/checkout:ref_type:branch:ref:main`.
  sub: 2,
};

/**
 * Claims that describe a run but don't identify who controls it, because everyone who uses the issuer can get
 * the same value. `job_workflow_ref` is one of them, because everyone can call a public reusable workflow.
 */
const sharedClaims: ReadonlySet<string> = new Set([
  'actor',
  'actor_id',
  'base_ref',
  'branch',
  'ci_config_ref_uri',
  'ci_config_sha',
  'deployment_tier',
  'environment',
  'environment_action',
  'environment_protected',
  'event_name',
  'head_ref',
  'job_id',
  'job_workflow_ref',
  'job_workflow_sha',
  'pipeline_id',
  'pipeline_source',
  'project_visibility',
  'ref',
  'ref_path',
  'ref_protected',
  'ref_type',
  'repository_visibility',
  'run_attempt',
  'run_id',
  'run_number',
  'runner_environment',
  'runner_id',
  'sha',
  'user_access_level',
  'user_email',
  'user_id',
  'user_login',
  'workflow',
  'workflow_ref',
  'workflow_sha',
]);

/**
 * Returns the reason why a trust would accept tokens of people who don't belong to it, or `null`. Issuers
 * such as GitHub sign tokens for everyone, so at least one claim must identify the people whose tokens are
 * trusted.
 */
export function claimsProblem(issuer: string, claims: ClaimPatterns): string | null {
  const checked = Object.keys(claims).find((name) => checkedClaims.includes(name));
  if (checked !== undefined) return `must not contain ${checked}, which is checked for every token`;
  const known = knownClaims(issuer);
  const isIdentified = Object.entries(claims).some(([name, pattern]) => isIdentifying(known, name, pattern));
  if (isIdentified) return null;
  const examples = known === gitLabClaims ? 'project_path: acme/checkout' : 'repository: acme/checkout';
  return `would trust everyone who uses the issuer. Add a claim that identifies the owner, without * in its first segment, such as ${
    known === null ? 'sub' : examples
  }`;
}

/** Returns the identifying claims of a public issuer, or `null` for other issuers. */
function knownClaims(issuer: string): Identifying | null {
  const { hostname, pathname } = new URL(issuer);
  // URLs of GitHub Enterprise Server have a path, and organizations on GitHub can have an issuer URL with a
  // path.
  if (hostname === 'token.actions.githubusercontent.com' || pathname.endsWith('/_services/token'))
    return gitHubClaims;
  return hostname === 'gitlab.com' ? gitLabClaims : null;
}

function isIdentifying(known: Identifying | null, name: string, pattern: string): boolean {
  const claims = known ?? { ...gitHubClaims, ...gitLabClaims };
  if (!Object.hasOwn(claims, name))
    return known === null && !sharedClaims.has(name) && !pattern.includes('*');
  if (known === gitHubClaims && name === 'sub' && !gitHubSubjects.has(pattern.split(':')[0]!)) return false;
  const exact = claims[name]!;
  if (exact === 'all') return !pattern.includes('*');
  const segments = segmentsOf(pattern);
  if (!pattern.includes('*')) return true;
  return segments.length > exact && segments.slice(0, exact).every((segment) => !segment.includes('*'));
}
