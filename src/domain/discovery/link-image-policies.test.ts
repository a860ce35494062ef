import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { toVersionPattern } from './link-image-policies.ts';

const repository = (name: string, image: string, namespace = 'flux-system') => `
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImageRepository
metadata: { name: ${name}, namespace: ${namespace} }
spec: { image: ${image} }
`;

const policy = (
  pattern: string,
  { extract = '$ts', name = 'web', order = 'numerical: { order: asc }', namespace = 'flux-system' } = {},
) => `
apiVersion: image.toolkit.fluxcd.io/v1
kind: ImagePolicy
metadata: { name: ${name}, namespace: ${namespace} }
spec:
  imageRepositoryRef: { name: web }
  filterTags: { pattern: '${pattern}'${extract === '' ? '' : `, extract: '${extract}'`} }
  policy: { ${order} }
`;

const deployment = (image: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec: { template: { spec: { containers: [{ name: web, image: "${image}" }] } } }
`;

function discoverImage(image: string, documents: readonly string[]) {
  const { items } = discoverFiles({
    'flux/images.yaml': documents.join('---'),
    'apps/web.yaml': deployment(image),
  });
  const [item] = items;
  return { pattern: item?.proposal?.version_pattern ?? null, reason: item?.reason, note: item?.note };
}

describe('a Flux ImagePolicy', () => {
  const web = repository('web', 'ghcr.io/acme/web');

  test('orders the tags of its image by the group that it extracts', () => {
    const documents = [web, policy('^(main|release)-[a-f0-9]+-(?P<ts>[0-9]+)$')];
    expect(discoverImage('ghcr.io/acme/web:main-e58c8f4-1755680000', documents)).toEqual({
      pattern: '^(?:main|release)-[a-f0-9]+-([0-9]+)$',
      reason: null,
      note: 'tags ordered by the ImagePolicy web',
    });
  });

  test('orders tags that would otherwise not be considered versions', () => {
    const documents = [web, policy('^pr-[0-9]+-[a-f0-9]+-(?P<ts>[0-9]+)$')];
    const image = 'ghcr.io/acme/web:pr-12-e58c8f4-1755680000';
    expect(discoverImage(image, [web])).toMatchObject({ reason: 'not_a_version' });
    expect(discoverImage(image, documents)).toMatchObject({
      pattern: '^pr-[0-9]+-[a-f0-9]+-([0-9]+)$',
      reason: null,
    });
  });

  test.each([
    ['another image', [repository('web', 'ghcr.io/acme/api'), policy('^main-(?P<ts>[0-9]+)$')]],
    ['other tags', [web, policy('^prod-(?P<ts>[0-9]+)$')]],
    ['a descending order', [web, policy('^main-0*(?P<ts>[0-9]+)$', { order: 'numerical: { order: desc }' })]],
    [
      'two orders for one tag',
      [web, policy('^main-0*(?P<ts>[0-9]+)$'), policy('^main-[0-9](?P<ts>[0-9]+)$', { name: 'other' })],
    ],
    [
      'repositories with the same name and different images',
      [
        repository('web', 'ghcr.io/acme/web', 'a'),
        repository('web', 'ghcr.io/acme/api', 'b'),
        policy('^main-0*(?P<ts>[0-9]+)$', { namespace: 'c' }),
      ],
    ],
    ['an invalid pattern', [web, policy('^main-(?=x)(?P<ts>[0-9]+)$')]],
  ])('with %s does not affect the order of tags', (_, documents) => {
    expect(discoverImage('ghcr.io/acme/web:main-1234', documents)).toEqual({
      pattern: '^main-([0-9]+)$',
      reason: null,
      note: null,
    });
  });

  test('applies to other spellings of the image', () => {
    const documents = [repository('web', 'docker.io/library/web'), policy('^main-0*(?P<ts>[0-9]+)$')];
    expect(discoverImage('web:main-1234', documents)).toMatchObject({ pattern: '^main-0*([0-9]+)$' });
  });
});

test.each([
  ['^main-(?P<ts>[0-9]+)$', '$ts', '^main-([0-9]+)$'],
  ['^main-(?<ts>[0-9]+)$', '${ts}', '^main-([0-9]+)$'],
  ['^(main|dev)-([0-9]+)$', '$2', '^(?:main|dev)-([0-9]+)$'],
  ['^[(]x\\(-(?:a|b)(?P<ts>[0-9]+)$', '$ts', '^[(]x\\(-(?:a|b)([0-9]+)$'],
  ['^[]()]+(?P<ts>[0-9]+)$', '$ts', '^[]()]+([0-9]+)$'],
  ['^[[:alpha:](]+(?P<ts>[0-9]+)$', '$ts', '^[[:alpha:](]+([0-9]+)$'],
  ['^v(1|2)[.][0-9]+$', null, '^v(?:1|2)[.][0-9]+$'],
  ['v[0-9]+', null, null],
  ['^(?P<major>[0-9]+)-(?P<minor>[0-9]+)$', '$major.$minor', null],
  ['^main-(?P<ts>[0-9]+)$', '$other', null],
  ['^\\Q(\\E(?P<ts>[0-9]+)$', '$ts', null],
])('the filter %s with the extract %s becomes the version pattern %s', (pattern, extract, expected) => {
  expect(toVersionPattern(pattern, extract)).toBe(expected);
});
