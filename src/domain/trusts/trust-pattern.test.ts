import { describe, expect, test } from 'vitest';
import { claimsRejection } from './check-claims.ts';
import { claimsProblem } from './identifying-claims.ts';
import { matchesPattern, patternProblem } from './trust-pattern.ts';

describe('a pattern', () => {
  test.each([
    ['acme/checkout', 'acme/checkout', true],
    ['acme/checkout', 'acme/checkout-evil', false],
    ['acme/checkout', 'Acme/checkout', false],
    ['acme/*', 'acme/checkout', true],
    ['acme/*', 'acme/', false],
    ['acme/*', 'acme', false],
    ['acme/*', 'acme/checkout/web', false],
    ['acme/*', 'acme:checkout', false],
    ['acme/pay-*-web', 'acme/pay-eu-web', true],
    ['acme/pay-*-web', 'acme/pay-web', false],
    ['acme/pay-*-web', 'acme/pay--web', false],
    ['*', 'checkout', true],
    ['*', '', false],
    ['*', 'a/b', false],
    ['refs/heads/release-*', 'refs/heads/release-1.2', true],
    ['refs/heads/release-*', 'refs/heads/release-1/x', false],
    ['repo:acme/checkout:environment:*', 'repo:acme/checkout:environment:production', true],
    // A branch with this name isn't mistaken for an environment.
    ['repo:acme/*:environment:production', 'repo:acme/x:ref:refs/heads/a:environment:production', false],
    ['a.c', 'abc', false],
  ])('%s compared with %s results in %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  test.each([
    ['acme/*', null],
    ['*/*', null],
    ['**', expect.stringContaining('only one *')],
    ['acme/a*b*', expect.stringContaining('only one *')],
  ])('%s has the problem %s', (pattern, expected) => {
    expect(patternProblem(pattern)).toEqual(expected);
  });
});

const gitHub = 'https://token.actions.githubusercontent.com';
const gitLab = 'https://gitlab.com';
const other = 'https://ci.example.org';

describe('the claims of a trust', () => {
  test.each<[string, Record<string, string>]>([
    [gitHub, { repository: 'acme/checkout' }],
    [gitHub, { repository: 'acme/*' }],
    [gitHub, { repository_owner_id: '65', ref: 'refs/heads/*' }],
    [gitHub, { sub: 'repo:acme/*:environment:production' }],
    [`${gitHub}/acme-corp`, { repository: 'acme/checkout' }],
    [gitLab, { project_path: 'acme/*' }],
    [gitLab, { namespace_path: 'acme' }],
    [gitLab, { sub: 'project_path:acme/checkout:ref_type:branch:ref:*' }],
    [other, { sub: 'system:serviceaccount:ci:deployer' }],
    [other, { 'oidc.example.org/project': '12' }],
    [other, { repository: 'acme/*' }],
  ])('of %s identify the owner: %o', (issuer, claims) => {
    expect(claimsProblem(issuer, claims)).toBeNull();
  });

  test.each<[string, Record<string, string>]>([
    [gitHub, { repository: '*' }],
    [gitHub, { repository: '*/*' }],
    [gitHub, { repository: '*/checkout' }],
    [gitHub, { repository: 'ac*/checkout' }],
    [gitHub, { repository_owner: 'acme*' }],
    [gitHub, { environment: 'production' }],
    [gitHub, { ref: 'refs/heads/main', actor: 'dana' }],
    // Everyone can call a public reusable workflow.
    [gitHub, { job_workflow_ref: 'acme/workflows/.github/workflows/deploy.yml@refs/heads/main' }],
    [gitHub, { sub: 'repo:*/*:environment:production' }],
    [gitHub, { sub: 'repo:*' }],
    [gitHub, { sub: 'environment:production' }],
    [gitHub, { sub: 'job_workflow_ref:acme/ci/.github/workflows/deploy.yml@refs/heads/main' }],
    [gitHub, { project_path: 'acme/checkout' }],
    [`${gitHub}/acme-corp`, { repository: '*/checkout' }],
    ['https://github.example.org/_services/token', { environment: 'production' }],
    [gitLab, { project_path: '*/checkout' }],
    [gitLab, { namespace_path: '*' }],
    [gitLab, { ref: 'main', environment: 'production' }],
    [other, { sub: '*' }],
    [other, { repository: '*/*' }],
    [other, { environment: 'production' }],
    [other, { project: 'a*' }],
  ])('of %s are rejected if they trust everyone: %o', (issuer, claims) => {
    expect(claimsProblem(issuer, claims)).toContain('would trust everyone who uses the issuer');
  });

  test.each(['iss', 'aud', 'exp', 'nbf', 'iat', 'jti'])('can’t contain %s', (name) => {
    expect(claimsProblem(gitHub, { repository: 'acme/checkout', [name]: 'x' })).toContain(name);
  });
});

describe('a verified token', () => {
  const trusted = { repository: 'acme/checkout', environment: 'production' };
  test.each<[Record<string, unknown>, string | null]>([
    [{ ...trusted, event_name: 'push' }, null],
    [{ ...trusted, runner_id: 1 }, null],
    [{ ...trusted, event_name: 'pull_request' }, 'can come from a fork'],
    [{ ...trusted, event_name: 'pull_request_target' }, 'can come from a fork'],
    [{ ...trusted, pipeline_source: 'merge_request_event' }, 'can come from a fork'],
    [{ ...trusted, pipeline_source: 'parent_pipeline', ref: 'fix' }, 'can come from a merge request'],
    [
      { ...trusted, pipeline_source: 'parent_pipeline', ref_protected: 'false' },
      'can come from a merge request',
    ],
    [{ ...trusted, pipeline_source: 'parent_pipeline', ref_protected: 'true' }, null],
    [{ ...trusted, ref: 'refs/pull/7/merge' }, 'can come from a fork'],
    [{ ...trusted, ref_path: 'refs/merge-requests/7/head' }, 'can come from a fork'],
    [{ ...trusted, repository: 'acme/other' }, 'the claim repository: acme/other'],
    [{ ...trusted, repository: ['acme/checkout'] }, 'no claim repository'],
    [{ repository: 'acme/checkout' }, 'no claim environment'],
  ])('with the claims %o is rejected with %s', (claims, expected) => {
    const rejection = claimsRejection(trusted, claims);
    if (expected === null) expect(rejection).toBeNull();
    else expect(rejection).toContain(expected);
  });

  test('has no claims that all objects inherit', () => {
    expect(claimsRejection({ constructor: '*' }, {})).toContain('no claim constructor');
  });
});
