import { describe, expect, test } from 'vitest';
import { discoverFiles, type FileDiscoveryOutcome } from '../../../tests/helpers/discover-files.ts';
import { filesAtLastCommit } from '../../../tests/helpers/last-tree.ts';
import { hasTestData } from '../../../tests/helpers/test-data.ts';

/** Returns the locations of lines that match a pattern. This text search doesn't depend on YAML parsing. */
function grep(tree: Readonly<Record<string, string>>, pattern: RegExp, files = /\.ya?ml$/): string[] {
  return Object.entries(tree)
    .filter(([path]) => files.test(path))
    .flatMap(([path, text]) =>
      text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1}`] : [])),
    );
}

/** Returns the locations without an item, except in files with a reported problem. */
function missed(places: readonly string[], { items, problems }: FileDiscoveryOutcome): string[] {
  const found = new Set(items.map(({ place }) => `${place.file}:${place.line}`));
  const reported = new Set(problems.map(({ file }) => file));
  return places.filter((place) => !found.has(place) && !reported.has(place.replace(/:\d+$/, '')));
}

const image = /^\s*(?:- )?image: *["']?[\w$][^\s"']*[/:][^\s"']+["']? *$/;
const helmRelease = /^kind: HelmRelease *$/;
const application = /^ *kind: Application(?:Set)? *$/;
const action = /^\s*(?:- )?uses: *["']?[\w-]+\/[^\s"']+/;

describe.skipIf(!hasTestData)('matches of a text search', () => {
  test('are found as items or reported as problems in ricsanfre/pi-cluster, except for known lines', () => {
    const tree = filesAtLastCommit('ricsanfre_pi-cluster');
    const found = discoverFiles(tree);
    const releases = found.items.filter(
      ({ place }) => place.kind === 'HelmRelease' && place.field.startsWith('spec.chart'),
    );
    expect(grep(tree, helmRelease)).toHaveLength(36);
    expect(releases).toHaveLength(36);
    // The only release without a proposal is a template for new applications.
    expect(releases.filter(({ proposal }) => proposal === null)).toMatchObject([
      { place: { file: 'boilerplate/fluxcd-app-template/app/base/helm.yaml' }, reason: 'templated' },
    ]);
    expect(missed(grep(tree, image), found)).toEqual([
      // Images of upgrade plans, whose version is the version of the nodes.
      'kubernetes/platform/system-upgrade/config/base/k3s-agent.yaml:16',
      'kubernetes/platform/system-upgrade/config/base/k3s-agent.yaml:25',
      'kubernetes/platform/system-upgrade/config/base/k3s-server.yaml:24',
    ]);
    expect(missed(grep(tree, action), found)).toEqual([]);
    expect(missed(grep(tree, /^FROM /, /Dockerfile$/), found)).toEqual([
      // `FROM scratch` doesn't reference an image.
      'kubernetes/platform/kube-prometheus-stack/k3s-mixins/build/Dockerfile:37',
    ]);
    const plans = found.items.filter(({ place }) => place.kind === 'Plan');
    expect(plans).toHaveLength(2);
  });

  test('are found as items or reported as problems in fluxcd/flux2-kustomize-helm-example', () => {
    const tree = filesAtLastCommit('fluxcd_flux2-kustomize-helm-example');
    const found = discoverFiles(tree);
    const releases = found.items.filter(
      ({ place }) => place.kind === 'HelmRelease' && place.field.startsWith('spec.chart'),
    );
    expect(releases).toHaveLength(grep(tree, helmRelease).length);
    expect(releases.every(({ proposal }) => proposal !== null)).toBe(true);
    expect(missed(grep(tree, image), found)).toEqual([]);
    expect(missed(grep(tree, action), found)).toEqual([]);
  });

  test('are found as items or reported as problems in alphagov/govuk-helm-charts, except for known lines', () => {
    const tree = filesAtLastCommit('alphagov_govuk-helm-charts');
    const found = discoverFiles(tree);
    // All applications in this repository are chart templates.
    expect(grep(tree, application)).toHaveLength(24);
    expect(missed(grep(tree, application), found)).toEqual([]);
    expect(missed(grep(tree, image), found)).toEqual([]);
    expect(missed(grep(tree, /^ *tag: *[\w"']/), found)).toEqual([
      // The tag of log records, not of an image.
      'charts/kubernetes-events-shipper/templates/config-map.yaml:14',
    ]);
    // An action that a workflow uses repeatedly is a single item, on the line of its first use.
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
