import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { channelsOfOwners, indexChannels } from '../routing/channel-index.ts';
import { readCodeOwners } from './code-owners.ts';
import { compileLabelRules, guessEnvironment, type LabelRule } from './guess-labels.ts';

test.each([
  ['clusters/prod/web.yaml', 'prod'],
  ['overlays/production/web.yaml', 'prod'],
  ['values-staging.yaml', 'staging'],
  ['clusters/prod-eu/web.yaml', 'prod'],
  ['test/overlays/dev/web.yaml', 'dev'],
  ['apps/integration.yaml', 'integration'],
  ['pre-prod/web.yaml', 'preprod'],
  ['apps/web.yaml', null],
  ['device/integrations/products.yaml', null],
  ['test-data/web.yaml', null],
])('the environment of %s is %s', (path, environment) => {
  expect(guessEnvironment(path)).toBe(environment);
});

describe('label rules', () => {
  const image = 'FROM acme/web:1\n';

  test('named groups become labels and override guesses', () => {
    const labelRules: LabelRule[] = [
      { pattern: 'clusters/(?P<cluster>[^/]+)/(?:x|y)?', labels: { team: 'platform' } },
      { pattern: '(?<environment>canary)', labels: {} },
    ];
    const { items } = discoverFiles({ 'clusters/a/prod/canary/Dockerfile': image }, { labelRules });
    expect(items[0]).toMatchObject({
      environment: 'canary',
      labels: { cluster: 'a', team: 'platform', environment: 'canary', service: 'web' },
    });
  });

  test('unnamed groups and escaped parentheses do not shift the named groups', () => {
    const rules = compileLabelRules([{ pattern: '[(](a)\\((?:b)(?P<name>c)', labels: {} }]);
    expect(rules.ok && rules.labelsOf('(a(bc')).toEqual({ name: 'c' });
  });

  test('an invalid pattern is rejected with the reason', () => {
    expect(compileLabelRules([{ pattern: '(', labels: {} }])).toMatchObject({ ok: false });
    expect(compileLabelRules([{ pattern: '(?P<_a>b)', labels: {} }])).toMatchObject({
      message: "the group name _a can't be a label: it must begin with a letter",
    });
  });
});

describe('a CODEOWNERS file', () => {
  const ownerOf = readCodeOwners(`# comment
* @acme/everyone
/apps/ @acme/apps @someone # with a comment
*.tf @acme/infra
docs/* docs@example.org
/apps/**/secret/ @acme/security
/apps/open/
[Section]
/legal/ legal@example.org
^[Payments team][2] @acme/payments @acme/on-call
/payments/
/payments/api/ @acme/api @ACME/api @acme/api
[Audit]
/payments/ @acme/audit
!/payments/api/docs/
/payments/api/docs/ @acme/never
[section] @acme/counsel
/legal/terms/
`);

  test.each([
    ['README.md', 'acme/everyone'],
    ['apps/web/a.yaml', 'acme/apps, someone'],
    ['a/b/main.tf', 'acme/infra'],
    ['docs/a.md', 'docs@example.org'],
    ['docs/a/b.md', 'acme/everyone'],
    ['apps/a/b/secret/c', 'acme/security'],
    ['apps/open/a.yaml', null],
    // The last match in each section applies. The lines before the first header are also a section.
    ['legal/a.yaml', 'acme/everyone, legal@example.org'],
    ['legal/terms/a.yaml', 'acme/everyone, acme/counsel'],
    ['payments/a.yaml', 'acme/everyone, acme/payments, acme/on-call, acme/audit'],
    ['payments/api/a.yaml', 'acme/everyone, acme/api, ACME/api, acme/audit'],
    ['payments/api/docs/a.yaml', 'acme/everyone, acme/api, ACME/api'],
  ])('assigns %s to %s', (path, owner) => {
    expect(ownerOf(path)).toBe(owner);
  });

  test('skips owners that exceed the length of the label, and truncates none', () => {
    const owners = Array.from({ length: 40 }, (_, at) => `@acme/team-${at}`);
    const label = readCodeOwners(`* ${owners.join(' ')}`)('a.yaml')!;
    expect(label.length).toBeLessThanOrEqual(200);
    const kept = label.split(', ').map((owner) => `@${owner}`);
    expect(kept).toEqual(owners.slice(0, kept.length));
  });

  test('routes alerts to every owner of a line', () => {
    const label = readCodeOwners('* @acme/team-a @Acme/team-b person@example.org')('a.yaml');
    const channel = (id: number, owner: string) => ({ id, isActive: true, owners: [owner] });
    const channels = indexChannels([
      channel(1, '@acme/team-a'),
      channel(2, 'acme/team-b'),
      channel(3, 'Person@example.org'),
      channel(4, 'acme/team'),
    ]);
    expect(channelsOfOwners(channels, label)).toEqual([1, 2, 3]);
  });

  test('sets the owner label', () => {
    const { items } = discoverFiles({
      Dockerfile: 'FROM acme/web:1\n',
      '.github/CODEOWNERS': '* @acme/web\n',
    });
    expect(items[0]?.labels).toMatchObject({ owner: 'acme/web' });
  });
});
