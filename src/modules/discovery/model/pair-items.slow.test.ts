import { describe, expect, test } from 'vitest';
import { discoverFiles } from '../../../../tests/helpers/discover-files.ts';
import { runSteps } from '../../../../tests/helpers/finish-steps.ts';
import type { DiscoveredItem as Item } from '../../../domain/discovery/discover.ts';
import { type FoundIdentity, findTakenOver, pairItems, type StoredIdentity } from './pair-items.ts';

const artifact = {
  artifact_kind: 'image',
  artifact_name: 'ghcr.io/acme/web',
  artifact_purl: 'pkg:oci/web',
  version: '1',
  version_state: 'exact',
  reason: null,
};
const found = (key: string, path: string, blob = path): FoundIdentity => ({
  sequence: 1,
  number: 1,
  key,
  path,
  blob,
  ...artifact,
  followed: null,
});
const stored = (id: number, key: string, path: string, discriminator = ''): StoredIdentity => ({
  id,
  key,
  path,
  discriminator,
  blob: path,
  ...artifact,
  status: 'new',
  is_missing: false,
});

function pair(before: readonly StoredIdentity[], after: readonly FoundIdentity[]) {
  const { paired, missingIds } = runSteps(pairItems(before, after));
  return { paired: paired.map(({ id, discriminator }) => [id, discriminator]), missingIds };
}

describe('an image override of a new kustomization', () => {
  const field = 'kubernetes:Deployment::web:spec.template.spec.containers[web].image';
  const override = (path: string) => found('kustomize::::images[ghcr.io/acme/web]', path);
  const overridden = (path: string): FoundIdentity => ({ ...found(field, path), reason: 'overridden' });
  const takenOver = (before: readonly StoredIdentity[], after: readonly FoundIdentity[]) => {
    const { paired } = runSteps(pairItems(before, after));
    return runSteps(findTakenOver(before, paired)).map(({ at, baseId }) => [paired[at]!.path, baseId]);
  };
  const prod = 'overlays/prod/kustomization.yaml';

  test('takes over from the only base whose version it replaces, in any directory', () => {
    const before = [stored(1, field, 'base/web.yaml')];
    const dev = 'overlays/dev/kustomization.yaml';
    expect(takenOver(before, [overridden('base/web.yaml'), override(prod), override(dev)])).toEqual([
      [prod, 1],
      [dev, 1],
    ]);
  });

  test.each<[string, StoredIdentity[], FoundIdentity[]]>([
    [
      'several bases have the image',
      [stored(1, field, 'base/web.yaml'), stored(2, field, 'other/web.yaml')],
      [overridden('base/web.yaml'), overridden('other/web.yaml'), override(prod)],
    ],
    [
      'the base is still deployed',
      [stored(1, field, 'base/web.yaml')],
      [found(field, 'base/web.yaml'), override(prod)],
    ],
    [
      'the version was already replaced',
      [{ ...stored(1, field, 'base/web.yaml'), reason: 'overridden' }],
      [overridden('base/web.yaml'), override(prod)],
    ],
    [
      'the base is in the values of a chart',
      [stored(1, 'helm_values::::image', 'web/values.yaml')],
      [{ ...found('helm_values::::image', 'web/values.yaml'), reason: 'overridden' }, override(prod)],
    ],
    [
      'it overrides another image',
      [stored(1, field, 'base/web.yaml')],
      [overridden('base/web.yaml'), { ...override(prod), artifact_name: 'ghcr.io/acme/api' }],
    ],
  ])('takes over from no base if %s', (_, before, after) => {
    expect(takenOver(before, after)).toEqual([]);
  });
});

describe('items that share a key', () => {
  test('have unique discriminators: none, the path, or the path with an ordinal', () => {
    const after = [found('a', 'x'), found('a', 'y'), found('a', 'y'), found('b', 'y')];
    expect(pair([], after)).toEqual({
      paired: [
        [null, ''],
        [null, 'y'],
        [null, 'y#2'],
        [null, ''],
      ],
      missingIds: [],
    });
  });

  test('keep their discriminator when their file moves or the other items disappear', () => {
    const before = [stored(1, 'a', 'x'), stored(2, 'a', 'y', 'y')];
    expect(pair(before, [found('a', 'z/y')])).toEqual({ paired: [[2, 'y']], missingIds: [1] });
    expect(pair(before, [found('a', 'x'), found('a', 'z')])).toEqual({
      paired: [
        [1, ''],
        [2, 'y'],
      ],
      missingIds: [],
    });
  });

  test('get a new discriminator when their key changes', () => {
    const before = [stored(1, 'a', 'x'), stored(2, 'a', 'y', 'y'), stored(3, 'b', 'z')];
    const after = [found('a', 'x'), found('b', 'y'), found('b', 'z')];
    expect(pair(before, after)).toEqual({
      paired: [
        [1, ''],
        [2, 'y'],
        [3, ''],
      ],
      missingIds: [],
    });
  });

  // Comparing each item with each other item would take minutes and block the server.
  test('can be all 50,000 items of a scan', () => {
    const after = Array.from({ length: 50_000 }, () => found('a', 'x'));
    const { paired } = runSteps(pairItems([], after));
    expect(new Set(paired.map(({ discriminator }) => discriminator)).size).toBe(after.length);
    const before = paired.map(({ key, discriminator }, at) => stored(at, key, 'x', discriminator));
    const moved = after.map(({ key }) => found(key, 'y/x'));
    expect(runSteps(pairItems(before, moved)).missingIds).toEqual([]);
  });

  test('can be many for each of hundreds of keys', () => {
    const places = (root: string) =>
      Array.from({ length: 50_000 }, (_, at) =>
        found(`k${at % 500}`, `${root}/a/b/c/d/e/f/${Math.floor(at / 500)}/x.yaml`),
      );
    const before = places('old').map(({ key, path }, at) => stored(at, key, path, path));
    expect(runSteps(pairItems(before, places('new'))).missingIds).toEqual([]);
  });

  test('have discriminators that fit the column even with long paths', () => {
    const path = `${'ä'.repeat(400)}/pod.yaml`;
    const { paired } = runSteps(pairItems([], [found('a', 'x'), found('a', path), found('a', path)]));
    expect(new Set(paired.map(({ discriminator }) => discriminator)).size).toBe(3);
    for (const { discriminator } of paired) expect(Buffer.byteLength(discriminator)).toBeLessThanOrEqual(600);
  });
});

describe('an item that another file completes', () => {
  const chart = `spec: { chart: { spec: { chart: web, version: 1.0.0, sourceRef: { kind: HelmRepository, name: acme } } } }`;
  const release = (spec: string) =>
    `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: { name: shop, namespace: shop }\n${spec}\n`;
  const source = (kind: string, spec: string) =>
    `apiVersion: source.toolkit.fluxcd.io/v1\nkind: ${kind}\nmetadata: { name: acme, namespace: shop }\nspec: ${spec}\n`;

  test.each<[string, string, Record<string, string>]>([
    [
      'the values of a chart',
      'web/values.yaml',
      {
        'web/values.yaml': 'image: { repository: ghcr.io/acme/web, tag: 1.0.0 }\n',
        'web/values-prod.yaml': 'image: { tag: 1.0.0 }\n',
      },
    ],
    [
      'an extended service',
      'common.yaml',
      {
        'common.yaml': 'services: { web: { image: "ghcr.io/acme/web:1.0.0" } }\n',
        'compose.yaml': 'services: { shop: { extends: { file: common.yaml, service: web } } }\n',
      },
    ],
    [
      'the source of a chartRef',
      'source.yaml',
      {
        'source.yaml': source('OCIRepository', '{ url: "oci://ghcr.io/charts/web", ref: { tag: 1.0.0 } }'),
        'release.yaml': release('spec: { chartRef: { kind: OCIRepository, name: acme } }'),
      },
    ],
    [
      'the repository of a chart',
      'source.yaml',
      {
        'source.yaml': source('HelmRepository', '{ url: "https://charts.example.org" }'),
        'release.yaml': release(chart),
      },
    ],
    [
      'a patched release',
      'base.yaml',
      {
        'source.yaml': source('HelmRepository', '{ url: "https://charts.example.org" }'),
        'base.yaml': release(chart),
        'patch.yaml': release('spec: { chart: { spec: { version: 1.1.0 } } }'),
      },
    ],
  ])('keeps its artifact while the scan cannot read %s', (_, path, files) => {
    const scan = (broken: boolean) =>
      discoverFiles({ ...files, ...(broken && { [path]: 'image: {\n  "\n' }) }).items;
    const identity = ({
      key,
      place,
      artifact: { kind, name, purl },
      version,
      version_state,
      reason,
    }: Item) => ({
      key,
      path: place.file,
      blob: place.file,
      artifact_kind: kind,
      artifact_name: name,
      artifact_purl: purl,
      version,
      version_state,
      reason,
    });
    const before = scan(false).map(
      (item, id): StoredIdentity => ({
        ...identity(item),
        id,
        discriminator: item.place.file,
        status: 'accepted',
        is_missing: false,
      }),
    );
    const now = scan(true).map((item, number) => ({
      ...identity(item),
      sequence: 1,
      number,
      followed: null,
    }));
    const { paired } = runSteps(pairItems(before, now, (file) => file === path));
    const own = paired.filter((item) => !item.path.endsWith('source.yaml'));
    expect(own).toHaveLength(1);
    expect(own[0]).toMatchObject({ id: expect.any(Number), keepsArtifact: true, replaces: null });
    expect(before[own[0]!.id!]).toMatchObject({ path: own[0]!.path });
  });
});

describe('the pairing of 50,000 items', () => {
  const count = 50_000;
  const places = (keys: number, root: string) =>
    Array.from({ length: count }, (_, at) => found(`k${at % keys}`, `${root}/${at}/x.yaml`, root));
  /** Maximum number of fields that one step reads. */
  const maxReads = 20;

  // Steps must be short, so that other work can run between them.
  test.each([
    ["whose files didn't move", places(count, 'old'), places(count, 'old')],
    ['whose files moved', places(count, 'old'), places(count, 'new')],
    ['with one key', places(1, 'old'), places(1, 'new')],
    ['with 500 keys', places(500, 'old'), places(500, 'new')],
    ['that are all new', [], places(1, 'new')],
    ['that are all missing', places(count, 'old'), []],
  ])('reads only a few fields in each step for items %s', (_, before, after) => {
    const reads = { longest: 0, now: 0 };
    const watch = <Item extends object>(item: Item) =>
      new Proxy(item, {
        get(target, name) {
          reads.now++;
          return Reflect.get(target, name);
        },
      });
    const was = before.map(({ key, path }, at) => watch({ ...stored(at, key, path, path), blob: 'old' }));
    const { paired, missingIds } = runSteps(pairItems(was, after.map(watch)), () => {
      reads.longest = Math.max(reads.longest, reads.now);
      reads.now = 0;
    });
    expect(paired).toHaveLength(after.length);
    expect(missingIds).toHaveLength(after.length === 0 ? before.length : 0);
    expect(reads.longest).toBeLessThanOrEqual(maxReads);
  });
});
