import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type DiscoveredFiles, discoverFiles } from '../../../tests/helpers/discover-files.ts';
import { hasTestData, testDataPath } from '../../../tests/helpers/test-data.ts';

/** The files of a repository after its last commit. */
function lastTree(name: string): Record<string, string> {
  const tree: Record<string, string> = {};
  const [, ...lines] = readFileSync(testDataPath(`gitops/${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');
  for (const line of lines) {
    const { files }: { files: Record<string, string | null> } = JSON.parse(line);
    for (const [path, text] of Object.entries(files)) {
      if (text === null) delete tree[path];
      else tree[path] = text;
    }
  }
  return tree;
}

/** Places of lines that a pattern matches: a search that knows nothing of YAML. */
function grep(tree: Readonly<Record<string, string>>, pattern: RegExp, files = /\.ya?ml$/): string[] {
  return Object.entries(tree)
    .filter(([path]) => files.test(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : [])),
    );
}

/** Lines without an item, in files of which no part is reported as unread. */
function missed(places: readonly string[], { items, problems }: DiscoveredFiles): string[] {
  const found = new Set(items.map(({ place }) => `${place.file}:${place.line}`));
  const reported = new Set(problems.map(({ file }) => file));
  return places.filter((place) => !found.has(place) && !reported.has(place.replace(/:\d+$/, '')));
}

const image = /^\s*(?:- )?image: *["']?[\w$][^\s"']*[/:][^\s"']+["']? *$/;
const helmRelease = /^kind: HelmRelease *$/;
const application = /^ *kind: Application(?:Set)? *$/;
const action = /^\s*(?:- )?uses: *["']?[\w-]+\/[^\s"']+/;

describe.skipIf(!hasTestData)('a search by lines finds nothing that is neither an item nor reported', () => {
  test('ricsanfre/pi-cluster', () => {
    const tree = lastTree('ricsanfre_pi-cluster');
    const found = discoverFiles(tree);
    const releases = found.items.filter(
      ({ place }) => place.kind === 'HelmRelease' && place.field.startsWith('spec.chart'),
    );
    expect(grep(tree, helmRelease)).toHaveLength(36);
    expect(releases).toHaveLength(36);
    // The other one is a template of which applications are made.
    expect(releases.filter(({ proposal }) => proposal === null)).toMatchObject([
      { place: { file: 'boilerplate/fluxcd-app-template/app/base/helm.yaml' }, reason: 'templated' },
    ]);
    expect(missed(grep(tree, image), found)).toEqual([
      // Images of plans, whose version is that of the nodes.
      'kubernetes/platform/system-upgrade/config/base/k3s-agent.yaml:16',
      'kubernetes/platform/system-upgrade/config/base/k3s-agent.yaml:25',
      'kubernetes/platform/system-upgrade/config/base/k3s-server.yaml:24',
    ]);
    expect(missed(grep(tree, action), found)).toEqual([]);
    expect(missed(grep(tree, /^FROM /, /Dockerfile$/), found)).toEqual([
      // Nothing at all: the image scratch.
      'kubernetes/platform/kube-prometheus-stack/k3s-mixins/build/Dockerfile:37',
    ]);
    const plans = found.items.filter(({ place }) => place.kind === 'Plan');
    expect(plans).toHaveLength(2);
  });

  test('fluxcd/flux2-kustomize-helm-example', () => {
    const tree = lastTree('fluxcd_flux2-kustomize-helm-example');
    const found = discoverFiles(tree);
    const releases = found.items.filter(
      ({ place }) => place.kind === 'HelmRelease' && place.field.startsWith('spec.chart'),
    );
    expect(releases).toHaveLength(grep(tree, helmRelease).length);
    expect(releases.every(({ proposal }) => proposal !== null)).toBe(true);
    expect(missed(grep(tree, image), found)).toEqual([]);
    expect(missed(grep(tree, action), found)).toEqual([]);
  });

  test('alphagov/govuk-helm-charts', () => {
    const tree = lastTree('alphagov_govuk-helm-charts');
    const found = discoverFiles(tree);
    // All of its applications are templates of charts.
    expect(grep(tree, application)).toHaveLength(24);
    expect(missed(grep(tree, application), found)).toEqual([]);
    expect(missed(grep(tree, image), found)).toEqual([]);
    expect(missed(grep(tree, /^ *tag: *[\w"']/), found)).toEqual([
      // A tag of log records.
      'charts/kubernetes-events-shipper/templates/config-map.yaml:14',
    ]);
    // An action that a workflow uses twice is one item, at its first line.
    const repeated = missed(grep(tree, action), found);
    expect(repeated).toHaveLength(5);
    for (const place of repeated) {
      const [file = '', line = ''] = place.split(':');
      const used = /uses: *["']?([^\s"'@]+)/.exec(tree[file]!.split('\n')[Number(line) - 1]!)![1]!;
      expect(
        found.items.some((item) => item.place.file === file && item.place.field === `uses ${used}`),
      ).toBe(true);
    }
  });
});
